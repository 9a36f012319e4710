import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { normalizeText, stripDirectionMarks } from "../../../app/lib/plain-text.ts";
import { findVerifyingKey } from "../folder/signature.ts";
import type { OpeningKey } from "./backups/encryption.ts";
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
 * Reads the operator's key of the backups, in the same way: from the terminal, or from its file at standard input. An age program takes
 * the same file: the half that verifies signatures stands in a comment.
 * @throws OperationRefused when none comes
 */
export async function readBackupKey(): Promise<OpeningKey> {
  return withHiddenInput(async (ask, isTerminal) => {
    let identity: string | undefined;
    let verifyingKey: string | null = null;
    let line = await ask("Key of the backups, both lines of it (AGE-SECRET-KEY-1…, backup-verify-…)");
    while (line !== null) {
      verifyingKey ??= findVerifyingKey(line);
      if (line.trim() !== "" && findVerifyingKey(line) === null && !line.trim().startsWith("#"))
        identity ??= line.trim();
      if (identity !== undefined && verifyingKey !== null) break;
      line = isTerminal && line.trim() === "" ? null : await ask("The other line");
    }
    if (identity === undefined) throw new OperationRefused("The backup is encrypted, and no key was given.");
    return { identity, verifyingKey };
  });
}

/** Asks at the terminal, and waits for a yes. @returns null where there is no terminal */
export async function askYes(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY) return null;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (
      (await lines.question(`${stripDirectionMarks(normalizeText(question))} (yes or no) `)).trim().toLowerCase() ===
      "yes"
    );
  } finally {
    lines.close();
  }
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
