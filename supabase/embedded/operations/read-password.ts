import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { normalizeText, stripDirectionMarks } from "../../../app/lib/plain-text.ts";
import { findVerifyingKey } from "../backups/signature.ts";
import type { OpeningKey } from "../backups/encryption.ts";
import { OperationRefused } from "./operation-refused.ts";

/**
 * Reads a password twice from the terminal without echo, or the first line of standard input when there is no terminal.
 * Never reads it from arguments: every user of the machine can see those, and the shell records them.
 * @param prompt without the colon
 * @throws OperationRefused when the input is empty, or the two entries differ
 */
export async function readPassword(prompt: string): Promise<string> {
  return withHiddenInput(async (ask, isTerminal) => {
    const password = await ask(prompt);
    if (!password) throw new OperationRefused("Nothing was changed: no password was given.");
    if (isTerminal && (await ask("Repeat the password")) !== password) {
      throw new OperationRefused("Nothing was changed: the passwords differ.");
    }
    return password;
  });
}

/**
 * Reads the operator's backup key in the same way, from the terminal or from its file at standard input. Programs for
 * age accept the same file: the half that verifies signatures is in a comment.
 * @throws OperationRefused when no key is given
 */
export async function readBackupKey(): Promise<OpeningKey> {
  return withHiddenInput(async (ask, isTerminal) => {
    let identity: string | undefined;
    let verifyingKey: string | null = null;
    let line = await ask("Backup key, both lines (AGE-SECRET-KEY-1…, backup-verify-…)");
    while (line !== null) {
      verifyingKey ??= findVerifyingKey(line);
      if (line.trim() !== "" && findVerifyingKey(line) === null && !line.trim().startsWith("#"))
        identity ??= line.trim();
      if (identity !== undefined && verifyingKey !== null) break;
      line = isTerminal && line.trim() === "" ? null : await ask("Second line");
    }
    if (identity === undefined) throw new OperationRefused("The backup is encrypted, but no key was given.");
    return { identity, verifyingKey };
  });
}

/** Asks a question at the terminal. Returns true only for "yes". @returns null when there is no terminal */
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

/** @returns the next line without its line break; null at the end of the input */
type Ask = (question: string) => Promise<string | null>;

async function withHiddenInput<T>(read: (ask: Ask, isTerminal: boolean) => Promise<T>): Promise<T> {
  const isTerminal = process.stdin.isTTY;
  const lines = createInterface({
    input: process.stdin,
    // readline echoes typed characters to this stream; discard them.
    output: isTerminal ? new Writable({ write: (_chunk, _encoding, written) => written() }) : undefined,
    terminal: isTerminal,
  });
  // The iterator buffers lines that arrive before a prompt.
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
