import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readJsonFile, writeFileDurably } from "../folder/durable-files.ts";
import { isSignedBy, signContent, verifyingKeyOf } from "./signature.ts";

/** Name of the list, beside the backups: a restore needs the newest one. */
export const erasureListName = "erasures.json";

const listSchema = z.object({
  format: z.literal(1),
  /** ISO 8601, UTC: the list contains every erasure up to this time */
  completeUntil: z.iso.datetime(),
  erasures: z.array(
    z.object({
      /**
       * of the data rights request that led to the erasure, e.g. DR-7K2M-9QXW, or of a person's leaving of the network,
       * e.g. NW-7K2M-9QXW, or of a replaced key of members' links, e.g. LK-7K2M-9QXW, or of a member's stop of all
       * mail, or its end, e.g. ST- or RS-0f3a9c5e7b21d468
       */
      reference: z.string(),
      /** ISO 8601, UTC */
      erasedAt: z.iso.datetime(),
      salt: z.string().regex(/^[0-9a-f]{32}$/),
      /** SHA-256 of the salt and the address's SHA-256; the salt defeats precomputed tables of address hashes */
      digest: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
  /** signature of the fields above by BACKUP_SIGNING_KEY, if that is set */
  signature: z.string().optional(),
});

/** List of erasures for restores. Contains no address. */
export type ErasureList = z.output<typeof listSchema>;

/** An entry of the list. */
export type Erasure = ErasureList["erasures"][number];

/**
 * An erasure as the database records it (`private.erasure_tombstones`, `private.network_departures`,
 * `private.link_keys`, `public.network_events`).
 */
export interface Tombstone {
  reference: string;
  /** ISO 8601, UTC */
  erasedAt: string;
  /** salt followed by digest; in a database from before the migration "salted_digests", the plain SHA-256 */
  emailHash: string;
}

const milliseconds = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** Query that reads all tombstones, departures, replaced keys, and stops of mail with their ends. */
export const tombstonesQuery = `
  select reference, email_hash as "emailHash",
    to_char(at at time zone 'UTC', ${milliseconds}) as "erasedAt"
  from (
    select reference, email_hash, erased_at as at from private.erasure_tombstones
    union all select reference, email_hash, left_at from private.network_departures
    union all select reference, private.digest(reference), ended_at from private.link_keys where ended_at is not null
    union all select
      case event.action when 'resumed' then 'RS-' else 'ST-' end
        || left(private.digest(member.id || to_char(event.at at time zone 'UTC', ${milliseconds})), 16),
      private.digest(private.subject_key(member.email)), event.at
    from public.network_events as event join public.network_members as member on member.id = event.member_id
    where event.action in ('unsubscribed', 'resumed')
  ) as gone order by at, reference`;

/**
 * @returns null when there is no list
 * @throws ZodError or SyntaxError when it is damaged
 */
export async function readErasureList(folder: string): Promise<ErasureList | null> {
  return readJsonFile(join(folder, erasureListName), listSchema);
}

/** Merges several lists, without duplicates. */
export function mergeErasures(lists: readonly Pick<ErasureList, "erasures">[]): Erasure[] {
  const known = new Map(lists.flatMap(({ erasures }) => erasures).map((erasure) => [erasure.reference, erasure]));
  return [...known.values()].toSorted((a, b) => (a.erasedAt < b.erasedAt ? -1 : 1));
}

/** Serializes a list. @param signingKey signs the list; undefined leaves it unsigned */
export function formatErasureList(list: ErasureList, signingKey: string | undefined): string {
  const content = listSchema.parse(list);
  delete content.signature;
  const signed = signingKey ? { ...content, signature: signContent("erasures", content, signingKey) } : content;
  return `${JSON.stringify(signed, null, 1)}\n`;
}

/**
 * Adds the erasures of a database to the list in a folder. Keeps erasures that only the list has, because the database
 * may have been restored from an older backup. Replaces a damaged list.
 * @param known `readAt`: ISO 8601, UTC, a time no later than the reading of the database; `forgetBefore`: removes older
 *   erasures
 * @param options `isOwn`: the folder is the data folder's own. In any other folder, an unsigned list may come from
 *   elsewhere, and must not get our signature
 */
export async function addToErasureList(
  folder: string,
  { tombstones, readAt, forgetBefore = "" }: { tombstones: Tombstone[]; readAt: string; forgetBefore?: string },
  { signingKey, isOwn }: { signingKey: string | undefined; isOwn: boolean },
): Promise<void> {
  const found = await readErasureList(folder).catch(() => null);
  const isOurs =
    isOwn || signingKey === undefined || (found && isSignedBy("erasures", found, verifyingKeyOf(signingKey)));
  const old = isOurs ? found : null;
  const references = new Set(old?.erasures.map(({ reference }) => reference));
  const added = tombstones.filter(({ reference }) => !references.has(reference)).map(toErasure);
  const erasures = mergeErasures([{ erasures: [...(old?.erasures ?? []), ...added] }]);
  // Another process may have read the database later, but `completeUntil` cannot lie in the future.
  const isLater = old !== null && old.completeUntil > readAt && old.completeUntil <= new Date().toISOString();
  const list: ErasureList = {
    format: 1,
    completeUntil: isLater ? old.completeUntil : readAt,
    erasures: erasures.filter(({ erasedAt }) => erasedAt >= forgetBefore),
  };
  await writeErasureList(folder, list, signingKey);
}

/**
 * Replaces the list in a folder, which is created if absent. A server and a command may do so concurrently: each writes
 * a draft with a unique name, and an entry that one of them dropped comes back with the next write of either.
 */
export async function writeErasureList(
  folder: string,
  list: ErasureList,
  signingKey: string | undefined,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, erasureListName);
  await writeFileDurably(path, formatErasureList(list, signingKey), 0o600, `${path}.${randomUUID()}.tmp`);
}

function toErasure({ reference, erasedAt, emailHash }: Tombstone): Erasure {
  if (emailHash.length > 64) return { reference, erasedAt, salt: emailHash.slice(0, 32), digest: emailHash.slice(32) };
  const salt = randomBytes(16).toString("hex");
  return { reference, erasedAt, salt, digest: digestOf(salt, emailHash) };
}

/** Returns the salted digest of an address, given its plain SHA-256. */
export function digestOf(salt: string, emailHash: string): string {
  return createHash("sha256").update(`${salt}${emailHash}`).digest("hex");
}
