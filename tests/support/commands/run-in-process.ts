import { Readable } from "node:stream";
import { format } from "node:util";
import type { CommandResult } from "./admin-command";

/**
 * Runs one of the operator's commands in the test's own process, which saves the start of another process. Tests that
 * use `runCommand` prove that bin/site.mjs reaches the command. Run one at a time: it replaces console and standard
 * input.
 * @param command resolves with the exit code, e.g. `runOperation`
 * @param input content of standard input
 */
export async function runInProcess(command: () => Promise<number>, input = ""): Promise<CommandResult> {
  const { log, error } = console;
  const stdin = Object.getOwnPropertyDescriptor(process, "stdin") ?? {};
  const lines: string[] = [];
  const keep = (...words: unknown[]) => void lines.push(format(...words));
  Object.assign(console, { log: keep, error: keep });
  Object.defineProperty(process, "stdin", { value: Readable.from([Buffer.from(input)]), configurable: true });
  try {
    return { code: await command(), said: lines.join("\n").trim() };
  } finally {
    Object.assign(console, { log, error });
    Object.defineProperty(process, "stdin", stdin);
  }
}
