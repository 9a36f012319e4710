import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { findSystemFailure } from "../operations/file-failure.ts";
import { OperationRefused } from "../operations/operation-refused.ts";

/** First bytes of an encrypted file (age-encryption.org/v1, the format's specification). */
const magic = "age-encryption.org/v1";

/** The halves of a key: the recipient encrypts, and only the identity decrypts. */
export interface BackupKey {
  /** `AGE-SECRET-KEY-1…` */
  identity: string;
  /** `age1…` */
  recipient: string;
}

/** The operator's keys: they decrypt backups and verify that the site made them. */
export interface OpeningKey {
  identity: string;
  /** `backup-verify-…`; null when only the other half was given */
  verifyingKey: string | null;
}

/** Gets the key of an encrypted file. Called only for an encrypted file. */
export type FindKey = () => Promise<OpeningKey>;

/** Makes a key of the type that every age program supports (X25519). */
export async function makeKey(): Promise<BackupKey> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** @throws OperationRefused when the text is not an identity */
export async function recipientOf(identity: string): Promise<string> {
  return identityToRecipient(identity).catch(() => {
    throw new OperationRefused("That is not a key. A key begins with AGE-SECRET-KEY-1 and is 74 characters long.");
  });
}

/** @returns an encrypted stream that each of the recipients can decrypt alone */
export async function encryptStream(plain: Readable, recipients: readonly string[]): Promise<Readable> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const encrypted = await encrypter.encrypt(Readable.toWeb(plain) as ReadableStream<Uint8Array>);
  return Readable.fromWeb(encrypted as unknown as NodeStream<Uint8Array>);
}

/** Returns true if the file is encrypted, false if it is absent. */
export async function isEncrypted(file: string): Promise<boolean> {
  const opened = await open(file, "r").catch(() => null);
  if (opened === null) return false;
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(magic.length), 0, magic.length, 0);
    return buffer.toString("latin1", 0, bytesRead) === magic;
  } finally {
    await opened.close();
  }
}

/**
 * Reads a file, and decrypts an encrypted one on the way: its plain content is on no disk.
 * @param find gets the key; without it an encrypted file cannot be read
 * @throws OperationRefused when the identity is the wrong one, or an encrypted file is damaged or truncated
 */
export async function* readPlain(file: string, find: FindKey | undefined): AsyncGenerator<Uint8Array> {
  if (!(await isEncrypted(file))) return yield* createReadStream(file);
  if (find === undefined) throw new OperationRefused(`${file} is encrypted.`);
  const { identity } = await find();
  const own = await recipientOf(identity);
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  try {
    const source = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
    yield* Readable.fromWeb((await decrypter.decrypt(source)) as unknown as NodeStream<Uint8Array>);
  } catch (error) {
    const failure = findSystemFailure(error, file);
    if (failure) throw failure;
    const isWrongKey = error instanceof Error && error.message.startsWith("no identity matched");
    throw new OperationRefused(
      isWrongKey ? `The key is wrong: ${file} was not encrypted for ${own}.` : `${file} is damaged or truncated.`,
    );
  }
}
