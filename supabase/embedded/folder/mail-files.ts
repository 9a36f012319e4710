import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type FileContent, writeFilesDurably } from "./durable-files.ts";

/** The folder in the data folder in which mails are kept as files where no mail server is set. */
export const mailFolder = "mail";

/** Runs one statement on the database that holds the outbox. */
type Query = (sql: string, parameters: unknown[]) => Promise<{ id: string }[]>;

/**
 * Keeps messages as files, where no mail server is set. They survive a power cut, a reader never meets half a message,
 * and a second delivery replaces the first.
 * @param messages each under a plain file name: the outbox's id of the mail, and `.eml`
 * @throws when the folder cannot be written; the outbox then tries all of them again
 */
export async function keepMailFiles(folder: string, messages: FileContent[]): Promise<void> {
  if (!messages.every(({ name }) => /^[\w-]+\.eml$/.test(name))) throw new Error("A mail file needs a plain name.");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFilesDurably(folder, messages, 0o600);
}

/** A mail, or the draft that a killed process has left of one. */
const ownName = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.eml(?:\.tmp)?$/;

/**
 * Deletes each mail file whose mail is no longer in the outbox: an erasure or a retention period has ended it. Files with
 * names that are not ours are left alone.
 * @param folder need not exist
 * @param names the files to look at; all of them when left out
 * @returns how many were deleted
 */
export async function removeMailFilesWithoutMail(folder: string, query: Query, names?: string[]): Promise<number> {
  const files = (names ?? (await readNames(folder))).flatMap((name) => {
    const id = ownName.exec(name)?.[1];
    return id === undefined ? [] : [{ name, id }];
  });
  if (files.length === 0) return 0;
  const mails = await query(findMails, [JSON.stringify([...new Set(files.map(({ id }) => id))])]);
  const kept = new Set(mails.map(({ id }) => id));
  const forgotten = files.filter(({ id }) => !kept.has(id));
  await Promise.all(forgotten.map(({ name }) => rm(join(folder, name), { force: true })));
  return forgotten.length;
}

const findMails = `
  select mail.id::text as id from private.email_outbox as mail
  where mail.id in (select value::uuid from jsonb_array_elements_text($1::jsonb))`;

async function readNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
