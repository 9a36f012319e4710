import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { coverageVariables, shortLived } from "../short-lived";

/** Exit code of a command and its combined output (stdout and stderr). */
export interface CommandResult {
  code: number | null;
  said: string;
}

/**
 * Runs one of the operator's commands from the build.
 * @param command a command of bin/site.mjs, e.g. "admin"
 * @param input content of standard input
 * @param settings environment variables as an operator would set them
 */
export async function runCommand(
  command: string,
  words: string[],
  dataDir: string,
  input = "",
  settings: Record<string, string> = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [...shortLived, "bin/site.mjs", command, ...words], {
    env: {
      ...coverageVariables(),
      NODE_ENV: "production",
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      DATA_DIR: dataDir,
      ...settings,
    },
  });
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, said: `${out}${err}`.trim() };
}
