import { join } from "node:path";
import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { backupsFolder } from "#supabase/embedded/folder/data-folder";
import { addToErasureList, type Tombstone, tombstonesQuery } from "#supabase/embedded/backups/erasure-list";
import { tidyBackups } from "#supabase/embedded/backups/expired-backups";
import { markReady } from "#supabase/embedded/folder/marker";
import { mailFolder, removeMailFilesWithoutMail } from "#supabase/embedded/folder/mail-files";
import { retention } from "~/content/facts";
import { type Log, describeError } from "../../observability/log.server";
import type { EmbeddedSettings } from "./embedded-start.server";

/**
 * Creates a function that brings the data folder in line with the database: it deletes files of deleted mails, adds
 * erasures to the list beside the backups, and deletes expired backups. Call it after each deletion, with each
 * retention run, and therefore soon after each start, because a crash may have come in between. Failures are logged,
 * never thrown.
 */
export function createTidying(
  { dataDir, backupKeepDays, backupKeys }: Pick<EmbeddedSettings, "dataDir" | "backupKeepDays" | "backupKeys">,
  { sql }: Pick<EmbeddedBackend, "sql">,
  log: Log,
): () => Promise<void> {
  /** Guards against a wrong clock, which would expire everything. */
  async function mayExpire(): Promise<boolean> {
    const [row] = await sql<{ waits: boolean }>("select private.retention_waits() as waits");
    return row?.waits === false;
  }

  async function listErasures(): Promise<void> {
    const now = new Date();
    const tombstones = await sql<Tombstone>(tombstonesQuery);
    const forgetBefore = (await mayExpire()) ? new Date(now) : new Date(0);
    forgetBefore.setUTCFullYear(forgetBefore.getUTCFullYear() - retention.recordYears);
    const known = { tombstones, readAt: now.toISOString(), forgetBefore: forgetBefore.toISOString() };
    await addToErasureList(join(dataDir, backupsFolder), known, { signingKey: backupKeys?.signingKey, isOwn: true });
  }

  async function deleteExpiredBackups(): Promise<void> {
    if (!(await mayExpire())) return;
    const { deleted, outdated } = await tidyBackups(dataDir, backupKeepDays);
    if (deleted.length > 0) log.info({ event: "backups.expired", count: deleted.length });
    if (outdated === null) return;
    const remedy = "the newest backup is older than BACKUP_KEEP_DAYS: make a new one, or delete it";
    log.error({ event: "backups.outdated", remedy });
  }

  const removeMailFiles = () => removeMailFilesWithoutMail(join(dataDir, mailFolder), sql);
  const steps = [() => markReady(dataDir), removeMailFiles, listErasures, deleteExpiredBackups];
  return async () => {
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        log.error({ event: "data-folder.not-tidied", ...describeError(error) });
      }
    }
  };
}

/**
 * Tidies after each database notification about deleted mails or people, by any function (migration
 * "tell_what_is_gone").
 * @returns a function that resolves once tidying covers every deletion so far; immediately if there was none
 */
export async function tidyAfterDeletions(
  { listen }: Pick<EmbeddedBackend, "listen">,
  tidy: () => Promise<void>,
): Promise<() => Promise<void>> {
  let isQueued = false;
  let tidied = Promise.resolve();
  await listen("what_is_gone", () => {
    if (isQueued) return;
    isQueued = true;
    tidied = tidied.then(() => {
      // A deletion from here on may come too late for this run.
      isQueued = false;
      return tidy();
    });
  });
  return () => tidied;
}
