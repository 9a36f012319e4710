import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import {
  type Erasure,
  type ErasureList,
  erasureListName,
  isDeparture,
  isErasureOf,
  isListSignedBy,
  isMailWish,
  isReplacedKey,
  mergeErasures,
  readErasureList,
  type Tombstone,
  tombstonesQuery,
} from "./erasure-list.ts";
import { mailFolder, removeMailFilesWithoutMail } from "../folder/mail-files.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import { requirePast } from "./origin.ts";

/** Result of repeating erasures on restored data. */
export interface RepeatedErasures {
  /** number of people erased again */
  again: number;
  /** number of letters that were under way in the backup, and are stopped */
  letters: number;
  /** ISO 8601, UTC: time until which the list of erasures is complete; null when there was no list */
  completeUntil: string | null;
}

/** Reads the erasures recorded in a database. Returns none for one that never ran the product's migrations. */
export async function readTombstones(database: Pick<PGlite, "query">): Promise<Tombstone[]> {
  const { rows } = await database.query("select 1 where to_regclass('private.erasure_tombstones') is not null");
  return rows.length === 0 ? [] : (await database.query<Tombstone>(tombstonesQuery)).rows;
}

/** Erasures from the lists beside the backup and at its destination. */
export interface FoundErasures {
  erasures: Erasure[];
  /** ISO 8601, UTC: `completeUntil` of the newest list; null when there is none and the operator allowed that */
  completeUntil: string | null;
}

/**
 * Folder that may hold a list. `provedBy`: the key that must have signed it; null for the data folder, which only the
 * site writes.
 */
export interface ListPlace {
  folder: string;
  provedBy: string | null;
}

/**
 * Finds the lists of erasures.
 * @param places if two name the same folder, the last one counts
 * @param madeAt time of the backup, ISO 8601: an older list misses later erasures
 * @param options `mayMiss`: the operator confirmed that there is no list; a trusted list still counts if present
 * @throws OperationRefused when no list is as new as the backup, or a list is damaged or not signed by this site
 */
export async function findErasures(
  places: readonly ListPlace[],
  madeAt: string,
  { mayMiss }: { mayMiss: boolean },
): Promise<FoundErasures> {
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
    throw new OperationRefused(["There is no list of erasures since this backup:", ...paths, advice].join("\n"));
  }
  if (!mayMiss && completeUntil !== null && completeUntil < madeAt) {
    throw new OperationRefused(
      `The list of erasures dates from ${completeUntil}, but the backup is newer (${madeAt}). ${advice}`,
    );
  }
  return { erasures: mergeErasures(lists), completeUntil };
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

const advice =
  `Put the newest ${erasureListName} beside the backup: the server that was backed up keeps it in DATA_DIR/backups. ` +
  "Without it, the restore would bring back people whose data was erased. To restore anyway, add --without-erasures.";

/**
 * Erases the people who were erased after a backup was made: deletes what `erase_subject` deletes (migration
 * "erasure"), and their mail files. Records a tombstone with the zero UUID as its admin. Sends no email, because the
 * person was notified at the time. Of people who left the network it deletes the membership alone, and only one that is
 * older than their leaving. Ends the keys that were replaced, and all links to members' pages, because some were ended
 * after the backup; except those of people who have yet to confirm, which only ended with the next one. Repeats the
 * stops of mail since the backup and their ends, and stops letters that were under way.
 * @param content folder of the unpacked backup
 * @param database its database, open
 * @returns `again`: the number of erasures and departures repeated
 */
export async function eraseAgain(
  content: string,
  database: PGlite,
  erasures: readonly Erasure[],
): Promise<Omit<RepeatedErasures, "completeUntil">> {
  const references = new Set((await readTombstones(database)).map(({ reference }) => reference));
  const missing = erasures.filter(({ reference }) => !references.has(reference));
  const people = missing.length === 0 ? [] : (await database.query<Person>(findPeople)).rows;
  await endLinks(database, missing.filter(isReplacedKey));
  let erased = 0;
  for (const erasure of missing) {
    const found = people.find(({ hash }) => isErasureOf(erasure, hash));
    if (!found) continue;
    if (isMailWish(erasure)) {
      await repeatWish(database, found, erasure);
      continue;
    }
    const repeat = isDeparture(erasure) ? removeMember : erasePerson;
    if (await repeat(database, found, erasure)) erased += 1;
  }
  const query = async (sql: string, parameters: unknown[]) =>
    (await database.query<{ id: string }>(sql, parameters)).rows;
  const letters = await stopLetters(database);
  if (erased > 0) await removeMailFilesWithoutMail(join(content, mailFolder), query);
  return { again: erased, letters };
}

async function stopLetters(database: PGlite): Promise<number> {
  const { rows } = await database.query("select 1 where to_regclass('public.network_letters') is not null");
  if (rows.length === 0) return 0;
  const stopped = await database.query<{ n: number }>("select private.stop_letters_after_restore() as n");
  return stopped.rows[0]?.n ?? 0;
}

/** Repeats a member's stop of all mail, or its end, of a membership that is older than the wish. */
async function repeatWish(database: PGlite, { person }: Person, { reference, erasedAt }: Erasure): Promise<void> {
  const isStop = reference.startsWith("ST-");
  await database.query(
    `with changed as (
       update public.network_members set unsubscribed_at = ${isStop ? "$2" : "null"}
       where private.subject_key(email) = $1 and asked_at < $2 returning id
     )
     insert into public.network_events (member_id, at, actor_kind, action)
     select id, $2, 'member', $3 from changed`,
    [person, erasedAt, isStop ? "unsubscribed" : "resumed"],
  );
}

async function endLinks(database: PGlite, replacedKeys: readonly Erasure[]): Promise<void> {
  const { rows } = await database.query("select 1 where to_regclass('private.link_keys') is not null");
  if (rows.length === 0) return;
  for (const { reference, erasedAt } of replacedKeys) {
    await database.query("update private.link_keys set ended_at = $2 where reference = $1", [reference, erasedAt]);
  }
  await database.exec("update public.network_members set page_link_at = now() where state <> 'asked'");
}

interface Person {
  person: string;
  hash: string;
}

const findPeople = `
  select person, private.digest(person) as hash from (
    select private.subject_key(email) as person from public.contact_submissions
    union select private.subject_key(email) from public.data_rights_requests
    union select private.subject_key(email) from public.network_members
    union select private.subject_key(recipient) from private.email_outbox where recipient is not null
    union select private.subject_key(reply_to) from private.email_outbox where reply_to is not null
  ) as people`;

async function erasePerson(
  database: PGlite,
  { person, hash }: Person,
  { reference, erasedAt }: Erasure,
): Promise<boolean> {
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
  return true;
}

const deletions = [
  "delete from private.email_outbox where id in (select own.id from private.find_mails_of($1) as own)",
  "delete from public.contact_submissions where private.subject_key(email) = $1",
  "delete from public.data_rights_requests where private.subject_key(email) = $1",
  "delete from public.network_members where private.subject_key(email) = $1",
];

async function removeMember(
  database: PGlite,
  { person, hash }: Person,
  { reference, erasedAt }: Erasure,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await transaction.query("select set_config('private.erases_log', 'on', true)");
    const { rows } = await transaction.query(
      "delete from public.network_members where private.subject_key(email) = $1 and asked_at < $2 returning 1 as ok",
      [person, erasedAt],
    );
    if (rows.length === 0) return false;
    await transaction.query(
      "insert into private.network_departures (reference, email_hash, left_at) values ($1, $2, $3)",
      [reference, hash, erasedAt],
    );
    return true;
  });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "damaged";
}
