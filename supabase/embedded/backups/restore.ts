import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { backupsFolder, listKept, removeLeftovers } from "../folder/data-folder.ts";
import { renameFolderDurably } from "../folder/durable-files.ts";
import { type ErasureList, writeErasureList } from "./erasure-list.ts";
import { nameReplaced } from "./expired-backups.ts";
import { finishRestore, nameRestore } from "./finish-restore.ts";
import { lockFolder } from "../folder/lock.ts";
import { makeDataFolder } from "../folder/usable-folder.ts";
import { eraseAgain, type RepeatedErasures, findErasures, isOfSite } from "./erase-again.ts";
import type { Manifest } from "./manifest.ts";
import type { Reading } from "./origin.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import { digestDatabase, withDatabase } from "../operations/read-database.ts";
import { compareDatabase, unpackVerified } from "./verify.ts";

/** Summary of a verified backup, shown before a restore. */
export interface RestorePreview {
  manifest: Manifest;
  admins: string[];
  erasures: RepeatedErasures;
  /** true if a signature proves that this site made it */
  isProved: boolean;
  isEncrypted: boolean;
}

/** Result of a restore. `replaced` is the folder of the previous content, or null if there was none. */
type RestoreResult = RestorePreview & { replaced: string | null };

/** The operator's choices for a restore. */
interface RestoreOptions extends Reading {
  /**
   * allows a folder that is not empty; its content is kept in `replaced-…` inside it, because the data folder itself
   * may be a volume, which cannot be renamed
   */
  replace: boolean;
  /** allows people erased since the backup to return when no list of erasures exists */
  withoutErasures?: boolean;
  /** signs the list of erasures in the data folder */
  signingKey?: string | undefined;
  /** Shows the preview before anything changes. @throws OperationRefused to cancel the restore */
  confirm?(preview: RestorePreview): Promise<void>;
}

/**
 * Restores a backup into a data folder, after verifying it there and repeating the erasures since it was made. If it is
 * killed at any moment, the folder either stays as it was or becomes the restored one at the next start.
 * @throws OperationRefused when the backup is damaged, the folder is not empty, or no list of later erasures exists
 * @throws DataFolderInUse when a server runs on the folder
 */
export async function restoreBackup(file: string, dataDir: string, options: RestoreOptions): Promise<RestoreResult> {
  const target = resolve(dataDir);
  makeDataFolder(target);
  const lock = await lockFolder(target);
  try {
    await removeLeftovers(target);
    await finishRestore(target);
    const before = await listKept(target);
    if (before.length > 0 && !options.replace) {
      throw new OperationRefused(
        `${target} is not empty. To restore anyway, add --replace. The present content is then kept in a folder inside it.`,
      );
    }
    const draft = await mkdtemp(join(target, "restore-"));
    try {
      const { list, ...preview } = await fillDraft(file, draft, options);
      await options.confirm?.(preview);
      if (list !== null) await writeErasureList(join(target, backupsFolder), list, options.signingKey);
      const replaced = nameReplaced(new Date().toISOString());
      await renameFolderDurably(join(draft, contentName), join(target, nameRestore("ready", replaced)));
      await finishRestore(target);
      return { ...preview, replaced: before.length > 0 ? join(target, replaced) : null };
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  } finally {
    await lock.release();
  }
}

/** Name of the restored content while it is unpacked. */
const contentName = "content";

/**
 * Deletes all sessions, so that the backup does not sign in users who signed out after it, and lists the admins.
 */
async function endSessions(database: PGlite): Promise<string[]> {
  if (!(await isOfSite(database))) return [];
  await database.exec("delete from auth.refresh_tokens; delete from auth.sessions");
  const admins = await database.query<{ email: string }>(
    `select email from auth.users join public.user_roles as role on role.user_id = users.id
     where role.role = 'admin' order by email`,
  );
  return admins.rows.map(({ email }) => email);
}

/**
 * Unpacks and verifies the backup. Starts the database in its final place, so that it has already recovered when the
 * server starts.
 */
async function fillDraft(
  file: string,
  draft: string,
  { withoutErasures = false, ...reading }: RestoreOptions,
): Promise<RestorePreview & { list: ErasureList | null }> {
  const content = join(draft, contentName);
  await mkdir(content, { mode: 0o700 });
  const { manifest, isEncrypted, provedBy } = await unpackVerified(resolve(file), content, reading);
  // The target's own list is the newest if the backup was made on this machine. It remains beside the restored content.
  const places = [
    { folder: dirname(resolve(file)), provedBy },
    { folder: join(dirname(draft), backupsFolder), provedBy: null },
  ];
  const list = await findErasures(places, manifest.madeAt, withoutErasures);
  const found = await withDatabase(join(content, "pg"), async (database) => {
    compareDatabase(file, manifest, await digestDatabase(database));
    return { erasures: await eraseAgain(content, database, list), admins: await endSessions(database) };
  });
  return { manifest, isEncrypted, isProved: provedBy !== null, ...found, list };
}
