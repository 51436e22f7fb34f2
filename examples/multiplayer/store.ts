// Where rooms are saved: in Redis where its address is given, otherwise in files.
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { Redis } from "ioredis";

interface Store {
  load(name: string): Promise<Uint8Array | undefined>;
  save(name: string, bytes: Uint8Array): Promise<void>;
}

function inFiles(folder: string): Store {
  // Names come from clients: without slashes and dots, they stay inside of the folder.
  const file = (name: string) => path.join(folder, encodeURIComponent(name).replaceAll(".", "%2E"));
  return {
    load: (name) =>
      readFile(file(name)).catch((error) => {
        if (error.code !== "ENOENT") throw error; // a room that cannot be read must not be replaced by a new one
        return undefined;
      }),
    async save(name, bytes) {
      const next = path.join(folder, ".new", path.basename(file(name))); // as long a name as that of the file
      await mkdir(path.dirname(next), { recursive: true });
      await writeFile(next, bytes);
      await rename(next, file(name)); // a process that is killed leaves the old file
    },
  };
}
function inRedis(address: string): Store {
  const redis = new Redis(address);
  return {
    load: async (name) => (await redis.getBuffer(`yard:${name}`)) ?? undefined,
    save: async (name, bytes) => void (await redis.set(`yard:${name}`, Buffer.from(bytes))),
  };
}

const { REDIS, SAVES = "saves" } = process.env;
export const store = REDIS ? inRedis(REDIS) : inFiles(SAVES);
