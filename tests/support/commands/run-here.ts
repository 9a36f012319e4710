import { format } from "node:util";
import type { CommandResult } from "./admin-command";

/**
 * Runs one of the operator's commands in the test's own process, where starting one of its own would only take time; that
 * the program leads to it is proved by those that `runCommand` starts.
 * @param command resolves with the exit code, e.g. `runOperation`
 */
export async function runHere(command: () => Promise<number>): Promise<CommandResult> {
  const { log, error } = console;
  const lines: string[] = [];
  const keep = (...words: unknown[]) => void lines.push(format(...words));
  Object.assign(console, { log: keep, error: keep });
  try {
    return { code: await command(), said: lines.join("\n").trim() };
  } finally {
    Object.assign(console, { log, error });
  }
}
