import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import {
  type Erasure,
  type ErasureList,
  erasureListName,
  isErasureOf,
  isListSignedBy,
  joinErasures,
  readErasureList,
  type Tombstone,
  tombstonesQuery,
} from "../../folder/erasure-list.ts";
import { mailFolder, removeMailFilesWithoutMail } from "../../folder/mail-files.ts";
import { OperationRefused } from "../operation-refused.ts";
import { requirePast } from "./origin.ts";

/** What an operation has erased again. */
export interface ErasedAgain {
  /** how many people */
  again: number;
  /** ISO 8601, UTC: of the list that says who had been erased; null where there was none */
  completeUntil: string | null;
}

/** The erasures that a database proves; none in one that has never been started with the product's migrations. */
export async function readTombstones(database: Pick<PGlite, "query">): Promise<Tombstone[]> {
  const { rows } = await database.query("select 1 where to_regclass('private.erasure_tombstones') is not null");
  return rows.length === 0 ? [] : (await database.query<Tombstone>(tombstonesQuery)).rows;
}

/** What must be erased again in a backup, as far as the lists know that lie beside it and where it goes. */
export interface ErasuresSince {
  erasures: Erasure[];
  /** ISO 8601, UTC: of the newest list; null where there is none and it may be missing */
  completeUntil: string | null;
}

/** A place that may hold a list. `provedBy`: the key that must have signed it; null for the data folder, which only the site writes. */
export interface ListPlace {
  folder: string;
  provedBy: string | null;
}

/**
 * Finds the lists of who was erased.
 * @param places of two that are the same folder, the last counts
 * @param madeAt of the backup, ISO 8601: a list from before says nothing about what came after
 * @param options `mayMiss`: the operator has said that there is none; what is there and is ours counts all the same
 * @throws OperationRefused when there is none that is as new as the backup, or one is damaged, or somebody else's
 */
export async function findErasures(
  places: readonly ListPlace[],
  madeAt: string,
  { mayMiss }: { mayMiss: boolean },
): Promise<ErasuresSince> {
  const folders = new Map(places.map(({ folder, provedBy }) => [folder, provedBy]));
  const lists: ErasureList[] = [];
  for (const [folder, provedBy] of folders) {
    const list = await readTrusted(folder, provedBy).catch((error: unknown) => {
      if (mayMiss) return null;
      throw error;
    });
    if (list) lists.push(list);
  }
  const completeUntil =
    lists
      .map((list) => list.completeUntil)
      .toSorted()
      .at(-1) ?? null;
  if (!mayMiss && completeUntil === null) {
    const paths = [...folders.keys()].map((folder) => `- ${join(folder, erasureListName)}`);
    throw new OperationRefused(["There is no list of who was erased since this backup:", ...paths, advice].join("\n"));
  }
  if (!mayMiss && completeUntil !== null && completeUntil < madeAt) {
    throw new OperationRefused(
      `The list of who was erased is of ${completeUntil}, and the backup of ${madeAt} is newer. ${advice}`,
    );
  }
  return { erasures: joinErasures(lists), completeUntil };
}

async function readTrusted(folder: string, provedBy: string | null): Promise<ErasureList | null> {
  const path = join(folder, erasureListName);
  const list = await readErasureList(folder).catch((error: unknown) => {
    throw new OperationRefused(`${path} cannot be read (${nameOf(error)}). ${advice}`);
  });
  if (list === null) return null;
  if (provedBy !== null && !isListSignedBy(list, provedBy))
    throw new OperationRefused(`${path} is not signed by this site. ${advice}`);
  requirePast(path, list.completeUntil);
  return list;
}

const advice = `Put the newest ${erasureListName} beside the backup: the server that was backed up keeps it in DATA_DIR/backups. \
Without it, people whose data was erased would be back. To restore all the same, add --without-erasures.`;

/**
 * Erases whoever was erased after a backup was made: what `erase_subject` deletes (migration "erasure"), and the mail
 * files with it. A tombstone says so again, in the name of nobody. Nothing is mailed: the person was told then.
 * @param content where the backup is unpacked
 * @param database its database, open
 * @returns how many people were erased again
 */
export async function eraseAgain(content: string, database: PGlite, erasures: readonly Erasure[]): Promise<number> {
  const references = new Set((await readTombstones(database)).map(({ reference }) => reference));
  const missing = erasures.filter(({ reference }) => !references.has(reference));
  const people = missing.length === 0 ? [] : (await database.query<Person>(findPeople)).rows;
  let erased = 0;
  for (const erasure of missing) {
    const found = people.find(({ hash }) => isErasureOf(erasure, hash));
    if (!found) continue;
    await erasePerson(database, found, erasure);
    erased += 1;
  }
  const query = async (sql: string, parameters: unknown[]) =>
    (await database.query<{ id: string }>(sql, parameters)).rows;
  if (erased > 0) await removeMailFilesWithoutMail(join(content, mailFolder), query);
  return erased;
}

interface Person {
  person: string;
  hash: string;
}

const findPeople = `
  select person, private.digest(person) as hash from (
    select private.subject_key(email) as person from public.contact_submissions
    union select private.subject_key(email) from public.data_rights_requests
    union select private.subject_key(recipient) from private.email_outbox where recipient is not null
    union select private.subject_key(reply_to) from private.email_outbox where reply_to is not null
  ) as people`;

async function erasePerson(
  database: PGlite,
  { person, hash }: Person,
  { reference, erasedAt }: Erasure,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { rows } = await transaction.query<{ counts: unknown }>("select private.count_subject($1) as counts", [
      person,
    ]);
    await transaction.query("select set_config('private.erases_log', 'on', true)");
    for (const statement of deletions) await transaction.query(statement, [person]);
    await transaction.query(
      `insert into private.erasure_tombstones (reference, email_hash, counts, erased_at, erased_by)
       values ($1, $2, $3::jsonb, $4, '00000000-0000-0000-0000-000000000000')`,
      [reference, hash, JSON.stringify(rows[0]?.counts ?? {}), erasedAt],
    );
  });
}

const deletions = [
  "delete from private.email_outbox where id in (select own.id from private.find_mails_of($1) as own)",
  "delete from public.contact_submissions where private.subject_key(email) = $1",
  "delete from public.data_rights_requests where private.subject_key(email) = $1",
];

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "damaged";
}
