import { basename } from "node:path";
import { commandLine } from "../../../app/lib/command-line.ts";
import { isBackupPath } from "../folder/data-folder.ts";
import { findDate } from "./expired-backups.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import type { CheckEntry } from "./archive.ts";
import { type FindKey, isEncrypted } from "./encryption.ts";
import { type Manifest, manifestName } from "./manifest.ts";
import { isSignedBy } from "./signature.ts";

/** Options for reading a backup. */
export interface Reading {
  /** gets the key of an encrypted backup */
  findKey?: FindKey | undefined;
  /** rejects an unencrypted backup, because this site encrypts its own */
  refusesPlain?: boolean;
  /** accepts a backup of unproven origin, because the operator said so */
  withoutSignature?: boolean;
}

/** Tolerated difference between the clocks of two machines. */
const clockToleranceMs = 60 * 60 * 1000;

/** Limit on folders in an archive. PostgreSQL has some thirty. */
const mostFolders = 10_000;

/** @throws OperationRefused when a backup is unencrypted and must not be */
export async function requireEncrypted(file: string, { refusesPlain, withoutSignature }: Reading): Promise<void> {
  if (!refusesPlain || withoutSignature || (await isEncrypted(file))) return;
  throw new OperationRefused(
    `${file} is not encrypted, but this site's backups are. It did not come from this site, or it is older than BACKUP_RECIPIENT. ${overrideHint}`,
  );
}

/**
 * Checks a manifest's origin: its signature and its time.
 * @param find gets the key of an encrypted backup; null for an unencrypted one, which has no signature
 * @returns the key that verified the signature; null when no signature was checked
 * @throws OperationRefused
 */
export async function requireOrigin(
  file: string,
  manifest: Manifest,
  find: FindKey | null,
  { withoutSignature }: Reading,
): Promise<string | null> {
  const verifyingKey = find === null || withoutSignature ? null : await getVerifyingKey(find);
  if (verifyingKey !== null && manifest.signature === undefined)
    throw new OperationRefused(
      `${file} is not signed. It is older than BACKUP_SIGNING_KEY, or it did not come from this site. ${overrideHint}`,
    );
  if (verifyingKey !== null && !isSignedBy("manifest", manifest, verifyingKey))
    throw new OperationRefused(`${file} is not signed with this site's key: it was made or changed elsewhere.`);
  requirePast(file, manifest.madeAt);
  const named = findDate(basename(file));
  if (named !== null && named.at !== Date.parse(manifest.madeAt))
    throw new OperationRefused(`${file} was renamed: it was made at ${manifest.madeAt}.`);
  return verifyingKey;
}

/** @throws OperationRefused when the time lies in the future */
export function requirePast(file: string, madeAt: string): void {
  if (Date.parse(madeAt) <= Date.now() + clockToleranceMs) return;
  throw new OperationRefused(
    `${file} is dated ${madeAt}, which is in the future: it is not a backup of this site, or a clock is wrong.`,
  );
}

/**
 * Makes a check that lets an archive unpack only files that its manifest lists, at the listed sizes, under names that
 * backups use.
 */
export function makeContentCheck(file: string, manifest: Manifest): CheckEntry {
  const rest = new Map(manifest.files.map(({ path, bytes }) => [path, bytes]));
  rest.set(manifestName, NaN);
  let folders = 0;
  return ({ type, path, remain }) => {
    const name = path.replace(/\/$/, "");
    if (type !== "File" && type !== "Directory")
      throw new OperationRefused(`${file} holds something other than files and folders.`);
    if (!isBackupPath(name))
      throw new OperationRefused(`${file} holds ${name}, which is never in a backup of this site.`);
    if (type === "Directory" && (folders += 1) > mostFolders)
      throw new OperationRefused(`${file} holds more than ${mostFolders} folders.`);
    if (type === "Directory") return;
    const bytes = rest.get(name);
    rest.delete(name);
    if (bytes === undefined || (bytes !== remain && name !== manifestName))
      throw new OperationRefused(
        `${file} does not match its manifest: the file ${name} was ${bytes === undefined ? "added" : "changed"}.`,
      );
  };
}

const overrideHint = "If you are sure that it is yours, add --without-signature.";

async function getVerifyingKey(find: FindKey): Promise<string> {
  const { verifyingKey } = await find();
  if (verifyingKey !== null) return verifyingKey;
  throw new OperationRefused(
    "The key lacks its verifying half (backup-verify-…), so the origin of this backup cannot be checked. Give both lines that " +
      `\`${commandLine("backup-key")}\` printed, or add --without-signature.`,
  );
}
