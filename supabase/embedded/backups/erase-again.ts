import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import {
  digestOf,
  type ErasureList,
  erasureListName,
  mergeErasures,
  readErasureList,
  type Tombstone,
  tombstonesQuery,
} from "./erasure-list.ts";
import { mailFolder, removeMailFilesWithoutMail } from "../folder/mail-files.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import { queryOf } from "../operations/read-database.ts";
import { requirePast } from "./origin.ts";
import { isSignedBy } from "./signature.ts";
import repeatErasures from "./erase-again.sql?raw";

/** Result of repeating erasures on restored data. */
export interface RepeatedErasures {
  /** number of people erased again */
  again: number;
  /** number of letters that were under way in the backup, and are stopped */
  letters: number;
  /** ISO 8601, UTC: time until which the list of erasures is complete; null when there was no list */
  completeUntil: string | null;
}

/**
 * Returns true for the database of a site. One whose first start was cut off lacks tables, and holds no data of people.
 */
export async function isOfSite(database: Pick<PGlite, "query">): Promise<boolean> {
  const { rows } = await database.query("select 1 where to_regprocedure('private.retention_waits()') is not null");
  return rows.length > 0;
}

/** Reads the erasures that a site's database records. */
export async function readTombstones(database: Pick<PGlite, "query">): Promise<Tombstone[]> {
  return (await database.query<Tombstone>(tombstonesQuery)).rows;
}

/**
 * Folder that may hold a list. `provedBy`: the key that must have signed it; null for the data folder, which only the
 * site writes.
 */
interface ListPlace {
  folder: string;
  provedBy: string | null;
}

/**
 * Finds the lists of erasures, and merges them.
 * @param places if two name the same folder, the last one counts
 * @param madeAt time of the backup, ISO 8601: an older list misses later erasures
 * @param mayMiss the operator confirmed that there is no list; a trusted list still counts if present
 * @returns null when there is none and the operator allowed that
 * @throws OperationRefused when no list is as new as the backup, or a list is damaged or not signed by this site
 */
export async function findErasures(
  places: readonly ListPlace[],
  madeAt: string,
  mayMiss: boolean,
): Promise<ErasureList | null> {
  const folders = new Map(places.map(({ folder, provedBy }) => [folder, provedBy]));
  const lists: ErasureList[] = [];
  for (const [folder, provedBy] of folders) {
    const list = await readTrusted(folder, provedBy).catch((error: unknown) => {
      if (mayMiss) return null;
      throw error;
    });
    if (list) lists.push(list);
  }
  const completeUntil = lists
    .map((list) => list.completeUntil)
    .toSorted()
    .at(-1);
  if (completeUntil === undefined) {
    if (mayMiss) return null;
    const paths = [...folders.keys()].map((folder) => `- ${join(folder, erasureListName)}`);
    throw new OperationRefused(["There is no list of erasures since this backup:", ...paths, advice].join("\n"));
  }
  if (!mayMiss && completeUntil < madeAt) {
    throw new OperationRefused(
      `The list of erasures dates from ${completeUntil}, but the backup is newer (${madeAt}). ${advice}`,
    );
  }
  return { format: 1, completeUntil, erasures: mergeErasures(lists) };
}

async function readTrusted(folder: string, provedBy: string | null): Promise<ErasureList | null> {
  const path = join(folder, erasureListName);
  const list = await readErasureList(folder).catch((error: unknown) => {
    throw new OperationRefused(`${path} cannot be read (${nameOf(error)}). ${advice}`);
  });
  if (list === null) return null;
  if (provedBy !== null && !isSignedBy("erasures", list, provedBy))
    throw new OperationRefused(`${path} is not signed by this site. ${advice}`);
  requirePast(path, list.completeUntil);
  return list;
}

const advice =
  `Put the newest ${erasureListName} beside the backup: the server that was backed up keeps it in DATA_DIR/backups. ` +
  "Without it, the restore would bring back people whose data was erased. To restore anyway, add --without-erasures.";

/**
 * Repeats the erasures since a backup was made, and deletes the mail files of the people. Of people who left the network
 * it deletes the membership alone. Ends links of members, repeats stops of mail, and stops letters that were under way.
 * Sends no email, because the person was notified at the time.
 * @param content folder of the unpacked backup
 * @param database its database, open
 * @returns `again`: the number of erasures and departures repeated
 */
export async function eraseAgain(
  content: string,
  database: PGlite,
  list: ErasureList | null,
): Promise<RepeatedErasures> {
  const completeUntil = list?.completeUntil ?? null;
  if (!(await isOfSite(database))) return { again: 0, letters: 0, completeUntil };
  const references = new Set((await readTombstones(database)).map(({ reference }) => reference));
  const missing = list?.erasures.filter(({ reference }) => !references.has(reference)) ?? [];
  const people = missing.length === 0 ? [] : (await database.query<Person>(findPeople)).rows;
  // Each entry has its own salt. The database would take ten times as long for these digests.
  const found = missing.map(({ reference, erasedAt, salt, digest }) => ({
    reference,
    erasedAt,
    ...people.find(({ hash }) => digestOf(salt, hash) === digest),
  }));
  const repeated = await database.transaction(async (transaction) => {
    await transaction.query(
      `create temporary table erasures on commit drop as
       select reference, "erasedAt" as erased_at, person, hash
       from jsonb_to_recordset($1::jsonb) as list (reference text, "erasedAt" timestamptz, person text, hash text)`,
      [JSON.stringify(found)],
    );
    const results = await transaction.exec(repeatErasures);
    return results.at(-1)?.rows[0] as { again: number; letters: number };
  });
  if (repeated.again > 0) await removeMailFilesWithoutMail(join(content, mailFolder), queryOf(database));
  return { ...repeated, completeUntil };
}

/** A person whom the database holds something of, and the digest of their address. */
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

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "damaged";
}
