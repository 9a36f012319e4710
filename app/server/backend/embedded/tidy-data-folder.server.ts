import { join } from "node:path";
import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { backupsFolder } from "#supabase/embedded/folder/data-folder";
import { addToErasureList, type Tombstone, tombstonesQuery } from "#supabase/embedded/folder/erasure-list";
import { tidyBackups } from "#supabase/embedded/folder/expired-backups";
import { mailFolder, removeMailFilesWithoutMail } from "#supabase/embedded/folder/mail-files";
import { retention } from "~/content/facts";
import { type Log, describeError } from "../../observability/log.server";
import type { EmbeddedSettings } from "./embedded-start.server";

/**
 * Makes what keeps the data folder as the database is: mail files go with their mails, the list of erasures beside the
 * backups learns of each, and backups end with their time. To be called after each deletion, with each run of retention, and
 * so soon after each start, because a crash may have come in between. A failure is logged, never thrown.
 */
export function createTidying(
  { dataDir, backupKeepDays, backupKeys }: Pick<EmbeddedSettings, "dataDir" | "backupKeepDays" | "backupKeys">,
  { sql }: Pick<EmbeddedBackend, "sql">,
  log: Log,
): () => Promise<void> {
  /** A wrong clock would end everything that has a time. */
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
    const remedy = "the newest backup is older than BACKUP_KEEP_DAYS: make another, or delete it";
    log.error({ event: "backups.outdated", remedy });
  }

  const steps = [() => removeMailFilesWithoutMail(join(dataDir, mailFolder), sql), listErasures, deleteExpiredBackups];
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
 * Tidies whenever the database tells that mails or people are gone, by whatever function (migration "tell_what_is_gone").
 * @returns resolves once that is completed for everything deleted so far, at once where nothing was
 */
export async function tidyAfterDeletions(
  { listen }: Pick<EmbeddedBackend, "listen">,
  tidy: () => Promise<void>,
): Promise<() => Promise<void>> {
  let requested = 0;
  let completed = 0;
  let running: Promise<void> | undefined;
  async function run(): Promise<void> {
    const until = requested;
    await tidy();
    completed = until;
    running = undefined;
    if (completed < requested) void begin();
  }
  const begin = () => (running ??= run());
  await listen("what_is_gone", () => {
    requested += 1;
    void begin();
  });
  return async () => {
    const until = requested;
    // What was requested during a run is seen by the next.
    if (completed < until) await begin();
    if (completed < until) await begin();
  };
}
