import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Query } from "../operations/read-database.ts";
import { listNames, writeFileDurably } from "./durable-files.ts";

/** Folder in the data folder that stores emails as files when no mail server is configured. */
export const mailFolder = "mail";

/**
 * Stores a message as a file when no mail server is configured. The file survives a power cut, is never visible half
 * written, and a second delivery replaces the first.
 * @param name plain: the mail's outbox id and `.eml`
 * @throws when the folder cannot be written; the outbox then tries again
 */
export async function storeMailFile(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  if (!/^[\w-]+\.eml$/.test(name)) throw new Error("A mail file needs a plain name.");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileDurably(join(folder, name), content, 0o600);
}

/** Name of a mail file, or of a draft that a killed process left. */
const ownName = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.eml(?:\.tmp)?$/;

/**
 * Deletes each mail file whose mail is no longer in the outbox because of an erasure or an expired retention period.
 * Leaves files with other names alone.
 * @param folder need not exist
 * @param query runs on the database that holds the outbox
 * @param names the files to check; defaults to all
 * @returns the number of deleted files
 */
export async function removeMailFilesWithoutMail(folder: string, query: Query, names?: string[]): Promise<number> {
  const files = (names ?? (await listNames(folder))).flatMap((name) => {
    const id = ownName.exec(name)?.[1];
    return id === undefined ? [] : [{ name, id }];
  });
  if (files.length === 0) return 0;
  const mails = await query<{ id: string }>(findMails, [JSON.stringify([...new Set(files.map(({ id }) => id))])]);
  const kept = new Set(mails.map(({ id }) => id));
  const forgotten = files.filter(({ id }) => !kept.has(id));
  await Promise.all(forgotten.map(({ name }) => rm(join(folder, name), { force: true })));
  return forgotten.length;
}

const findMails = `
  select mail.id::text as id from private.email_outbox as mail
  where mail.id in (select value::uuid from jsonb_array_elements_text($1::jsonb))`;
