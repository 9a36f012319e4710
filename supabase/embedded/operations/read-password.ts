import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { OperationRefused } from "./operation-refused.ts";

/**
 * Reads a password twice from the terminal without showing it, or where there is none the first line of standard input.
 * Never from arguments: every user of the machine can read those, and the shell keeps them.
 * @param prompt without the colon
 * @throws OperationRefused when nothing comes, or the two differ
 */
export async function readPassword(prompt: string): Promise<string> {
  const isTerminal = process.stdin.isTTY;
  const lines = createInterface({
    input: process.stdin,
    // Where readline writes what is typed.
    output: isTerminal ? new Writable({ write: (_chunk, _encoding, written) => written() }) : undefined,
    terminal: isTerminal,
  });
  const closed = new Promise<null>((resolve) => lines.once("close", () => resolve(null)));
  const ask = async (question: string) => {
    if (isTerminal) process.stderr.write(`${question}: `);
    const line = await Promise.race([new Promise<string>((resolve) => lines.once("line", resolve)), closed]);
    if (isTerminal) process.stderr.write("\n");
    if (!line) throw new OperationRefused("Nothing was changed: no password was given.");
    return line;
  };
  try {
    const password = await ask(prompt);
    if (isTerminal && (await ask("The same again")) !== password) {
      throw new OperationRefused("Nothing was changed: the two were not the same.");
    }
    return password;
  } finally {
    lines.close();
  }
}
