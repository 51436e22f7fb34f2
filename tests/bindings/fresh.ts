// What the tests of `init` need from where they run. In a page, tests/engines/page/fresh.ts replaces it.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, jest } from "@jest/globals";
import { answer } from "./answers.js";

/** A package whose `init` was not called yet. */
export async function fresh(): Promise<typeof import("crateful")> {
  jest.resetModules();
  return await import("crateful");
}

export const readBinary = async (file: URL): Promise<Uint8Array<ArrayBuffer>> => Uint8Array.from(readFileSync(file));

/** The address of a server that answers as answers.ts says. */
export async function serveAnswers(): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  afterAll(() => new Promise((closed) => server.close(closed)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
