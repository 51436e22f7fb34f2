// Programs that serve pages until they are stopped.
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { env } from "../package/consumer.js";

export interface Served {
  url: string;
  close(): Promise<void>;
}

/** Starts a script of Node, or a program, that prints its address; `announced` matches it in a line of the output. */
export async function startServer(
  command: string,
  args: string[],
  cwd: string,
  announced = /http:\/\/\S+/,
): Promise<Served> {
  const [file, argv] = /\.m?js$/.test(command) ? [process.execPath, [command, ...args]] : [command, args];
  const { PORT: _port, ...environment } = env;
  const server = spawn(file, argv, {
    cwd,
    env: { ...environment, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => {
    server.once("exit", () => resolve());
  });
  const close = () => {
    server.kill();
    return ended;
  };
  for await (const line of createInterface(server.stdout)) {
    const url = announced.exec(line)?.[0];
    if (url === undefined) continue;
    server.stdout.resume(); // discards further output, because a full pipe would block the server
    return { url, close };
  }
  throw new Error(`${command} ${args.join(" ")} ended without serving a page`);
}
