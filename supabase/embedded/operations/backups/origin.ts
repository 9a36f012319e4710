import { basename } from "node:path";
import { isOfBackup } from "../../folder/data-folder.ts";
import { findDate } from "../../folder/expired-backups.ts";
import { OperationRefused } from "../operation-refused.ts";
import type { CheckEntry } from "./archive.ts";
import { type FindKey, isEncrypted } from "./encryption.ts";
import { isManifestSignedBy, type Manifest, manifestName } from "./manifest.ts";

/** How a backup is read. */
export interface Reading {
  /** asks for the key of an encrypted one */
  findKey?: FindKey | undefined;
  /** refuses a backup in plain, because this site encrypts its own */
  refusesPlain?: boolean;
  /** accepts a backup whose origin nothing proves, because the operator said so */
  withoutSignature?: boolean;
}

/** The clocks of two machines may differ by this much. */
const clockToleranceMs = 60 * 60 * 1000;

/** PostgreSQL has some thirty. */
const mostFolders = 10_000;

/** @throws OperationRefused when a backup is in plain and must not be */
export async function requireEncrypted(file: string, { refusesPlain, withoutSignature }: Reading): Promise<void> {
  if (!refusesPlain || withoutSignature || (await isEncrypted(file))) return;
  throw new OperationRefused(
    `${file} is not encrypted, but this site's backups are: somebody else made it, or it is older than BACKUP_RECIPIENT. ${sayYours}`,
  );
}

/**
 * Checks what a manifest says of its origin: who made it, and when.
 * @param find of an encrypted backup: its key; one in plain is not signed
 * @returns the key that has proved it; null where nothing does
 * @throws OperationRefused
 */
export async function requireOrigin(
  file: string,
  manifest: Manifest,
  find: FindKey | null,
  { withoutSignature }: Reading,
): Promise<string | null> {
  const { verifyingKey } = find === null || withoutSignature ? { verifyingKey: null } : await findBoth(find);
  if (verifyingKey !== null && manifest.signature === undefined)
    throw new OperationRefused(
      `${file} is not signed: it is older than BACKUP_SIGNING_KEY, or somebody else made it. ${sayYours}`,
    );
  if (verifyingKey !== null && !isManifestSignedBy(manifest, verifyingKey))
    throw new OperationRefused(`${file} is signed by another key than this site's: somebody else made or changed it.`);
  requirePast(file, manifest.madeAt);
  const named = findDate(basename(file));
  if (named !== null && named.at !== Date.parse(manifest.madeAt))
    throw new OperationRefused(`${file} was renamed: it was made at ${manifest.madeAt}.`);
  return verifyingKey;
}

/** @throws OperationRefused when a time is still to come */
export function requirePast(file: string, madeAt: string): void {
  if (Date.parse(madeAt) <= Date.now() + clockToleranceMs) return;
  throw new OperationRefused(
    `${file} says that it was made at ${madeAt}, which is in the future: it is no backup of this site, or a clock is wrong.`,
  );
}

/** Makes a check by which an archive unpacks only what its manifest lists, at the listed sizes, under names that backups use. */
export function makeContentCheck(file: string, manifest: Manifest): CheckEntry {
  const rest = new Map(manifest.files.map(({ path, bytes }) => [path, bytes]));
  rest.set(manifestName, NaN);
  let folders = 0;
  return ({ type, path, remain }) => {
    const name = path.replace(/\/$/, "");
    if (type !== "File" && type !== "Directory")
      throw new OperationRefused(`${file} holds something other than files and folders.`);
    if (!isOfBackup(name)) throw new OperationRefused(`${file} holds ${name}, which no backup of this site does.`);
    if (type === "Directory" && (folders += 1) > mostFolders)
      throw new OperationRefused(`${file} holds more than ${mostFolders} folders.`);
    if (type === "Directory") return;
    const bytes = rest.get(name);
    rest.delete(name);
    if (bytes === undefined || (bytes !== remain && name !== manifestName))
      throw new OperationRefused(
        `${file} is not what its manifest says: the file ${name} was ${bytes === undefined ? "added" : "changed"}.`,
      );
  };
}

const sayYours = "If you know that it is yours, add --without-signature.";

async function findBoth(find: FindKey): Promise<{ verifyingKey: string }> {
  const { verifyingKey } = await find();
  if (verifyingKey !== null) return { verifyingKey };
  throw new OperationRefused(
    "The key has no half that verifies (backup-verify-…), so nothing proves who made this backup: give both lines that " +
      "`npm run backup-key` printed, or add --without-signature.",
  );
}
