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
  return withHiddenInput(async (ask, isTerminal) => {
    const password = await ask(prompt);
    if (!password) throw new OperationRefused("Nothing was changed: no password was given.");
    if (isTerminal && (await ask("The same again")) !== password) {
      throw new OperationRefused("Nothing was changed: the two were not the same.");
    }
    return password;
  });
}

/**
 * Reads the secret half of a backup key (`AGE-SECRET-KEY-1…`), in the same way: from the terminal, or from a file of any age
 * program at standard input, whose comments are passed over.
 * @throws OperationRefused when none comes
 */
export async function readIdentity(): Promise<string> {
  return withHiddenInput(async (ask) => {
    for (;;) {
      const line = await ask("Key of the backups (AGE-SECRET-KEY-1…)");
      if (line === null) throw new OperationRefused("The backup is encrypted, and no key was given.");
      if (line.trim() !== "" && !line.startsWith("#")) return line.trim();
    }
  });
}

/** @returns the next line without its end; null where the input has ended */
type Ask = (question: string) => Promise<string | null>;

async function withHiddenInput<T>(read: (ask: Ask, isTerminal: boolean) => Promise<T>): Promise<T> {
  const isTerminal = process.stdin.isTTY;
  const lines = createInterface({
    input: process.stdin,
    // Where readline writes what is typed.
    output: isTerminal ? new Writable({ write: (_chunk, _encoding, written) => written() }) : undefined,
    terminal: isTerminal,
  });
  // An iterator keeps lines that come before they are asked for.
  const next = lines[Symbol.asyncIterator]();
  const ask: Ask = async (question) => {
    if (isTerminal) process.stderr.write(`${question}: `);
    const { value, done } = await next.next();
    if (isTerminal) process.stderr.write("\n");
    return done ? null : value;
  };
  try {
    return await read(ask, isTerminal);
  } finally {
    lines.close();
  }
}
