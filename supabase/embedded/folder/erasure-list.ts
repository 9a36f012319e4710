import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { syncFolder } from "./durable-files.ts";
import { isSignedBy, signContent, verifyingKeyOf } from "./signature.ts";

/** Its name, beside the backups: a restore needs the newest one. */
export const erasureListName = "erasures.json";

const listSchema = z.object({
  format: z.literal(1),
  /** ISO 8601, UTC: every erasure up to then is in it */
  completeUntil: z.iso.datetime(),
  erasures: z.array(
    z.object({
      /** of the request that was answered by it, e.g. DR-7K2M-9QXW */
      reference: z.string(),
      /** ISO 8601, UTC */
      erasedAt: z.iso.datetime(),
      salt: z.string().regex(/^[0-9a-f]{32}$/),
      /** SHA-256 of the salt and the address's SHA-256: nobody can look addresses up in a table of hashes */
      digest: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
  /** of all the above by BACKUP_SIGNING_KEY, where it is set */
  signature: z.string().optional(),
});

/** Who was erased, as far as a restore must know: it holds no address. */
export type ErasureList = z.output<typeof listSchema>;

/** One of them. */
export type Erasure = ErasureList["erasures"][number];

/** An erasure as the database proves it (`private.erasure_tombstones`). */
export interface Tombstone {
  reference: string;
  /** ISO 8601, UTC */
  erasedAt: string;
  /** salt and digest, one after the other; in a database from before the migration "salted_digests" the plain SHA-256 */
  emailHash: string;
}

/** The statement that reads them all. */
export const tombstonesQuery = `
  select reference, email_hash as "emailHash",
    to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "erasedAt"
  from private.erasure_tombstones order by erased_at, id`;

/**
 * @returns null where there is none
 * @throws ZodError or SyntaxError when it is damaged
 */
export async function readErasureList(folder: string): Promise<ErasureList | null> {
  const text = await readFile(join(folder, erasureListName), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : listSchema.parse(JSON.parse(text));
}

/** Decides whether this erasure was that of the address with this plain SHA-256. */
export function isErasureOf({ salt, digest }: Erasure, emailHash: string): boolean {
  return digestOf(salt, emailHash) === digest;
}

/** All erasures of several lists, each once. */
export function joinErasures(lists: readonly Pick<ErasureList, "erasures">[]): Erasure[] {
  const known = new Map(lists.flatMap(({ erasures }) => erasures).map((erasure) => [erasure.reference, erasure]));
  return [...known.values()].toSorted((a, b) => (a.erasedAt < b.erasedAt ? -1 : 1));
}

/** Decides whether the holder of the other half of a key signed a list. */
export function isListSignedBy({ signature, ...content }: ErasureList, verifyingKey: string): boolean {
  return isSignedBy("erasures", content, signature, verifyingKey);
}

/** Serializes a list. @param signingKey signs it; null leaves it unsigned */
export function formatErasureList(list: ErasureList, signingKey: string | undefined): string {
  const content = listSchema.parse(list);
  delete content.signature;
  const signed = signingKey ? { ...content, signature: signContent("erasures", content, signingKey) } : content;
  return `${JSON.stringify(signed, null, 1)}\n`;
}

/**
 * Adds what a database knows to the list in a folder. What only the list knows stays: a restored database may be older. A
 * damaged list is written anew.
 * @param known `readAt`: ISO 8601, UTC, the database was read no sooner than then; `forgetBefore`: older erasures leave
 * @param options `isOwn`: the folder is the data folder's own. In any other, an unsigned list may be somebody else's, and must not get our signature
 */
export async function addToErasureList(
  folder: string,
  { tombstones, readAt, forgetBefore = "" }: { tombstones: Tombstone[]; readAt: string; forgetBefore?: string },
  { signingKey, isOwn }: { signingKey: string | undefined; isOwn: boolean },
): Promise<void> {
  const found = await readErasureList(folder).catch(() => null);
  const isOurs = isOwn || signingKey === undefined || (found && isListSignedBy(found, verifyingKeyOf(signingKey)));
  const old = isOurs ? found : null;
  const references = new Set(old?.erasures.map(({ reference }) => reference));
  const added = tombstones.filter(({ reference }) => !references.has(reference)).map(hideAddress);
  const erasures = joinErasures([{ erasures: [...(old?.erasures ?? []), ...added] }]);
  // Another process may have read the database later, but no list can be complete until a time in the future.
  const isLater = old !== null && old.completeUntil > readAt && old.completeUntil <= new Date().toISOString();
  const list: ErasureList = {
    format: 1,
    completeUntil: isLater ? old.completeUntil : readAt,
    erasures: erasures.filter(({ erasedAt }) => erasedAt >= forgetBefore),
  };
  await writeErasureList(folder, list, signingKey);
}

/**
 * Replaces the list in a folder, which is made if absent. A server and a command may do so at the same time: each has a
 * draft of its own, and what one of them took from the other comes back with the next of either.
 */
export async function writeErasureList(
  folder: string,
  list: ErasureList,
  signingKey: string | undefined,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${erasureListName}.${randomUUID()}.tmp`);
  try {
    const file = await open(draft, "w", 0o600);
    await file
      .writeFile(formatErasureList(list, signingKey))
      .then(() => file.sync())
      .finally(() => file.close());
    await rename(draft, join(folder, erasureListName));
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(folder);
}

function hideAddress({ reference, erasedAt, emailHash }: Tombstone): Erasure {
  if (emailHash.length > 64) return { reference, erasedAt, salt: emailHash.slice(0, 32), digest: emailHash.slice(32) };
  const salt = randomBytes(16).toString("hex");
  return { reference, erasedAt, salt, digest: digestOf(salt, emailHash) };
}

function digestOf(salt: string, emailHash: string): string {
  return createHash("sha256").update(`${salt}${emailHash}`).digest("hex");
}
