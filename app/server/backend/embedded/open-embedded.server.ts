import { join } from "node:path";
import { type EmbeddedBackend, startEmbeddedBackend } from "#supabase/embedded/embedded-backend";
import type { EdgeFunction } from "#supabase/embedded/functions";
import { backupsFolder } from "#supabase/embedded/folder/data-folder";
import { findNewestBackup } from "#supabase/embedded/backups/expired-backups";
import { markReady } from "#supabase/embedded/folder/marker";
import { storeMailFile, mailFolder, removeMailFilesWithoutMail } from "#supabase/embedded/folder/mail-files";
import type { BackendLog } from "#supabase/embedded/log";
import { type FunctionHost, runWithHost } from "#supabase/functions/_shared/host/runtime";
import { withTimeout } from "~/lib/with-timeout";
import { digestValues } from "../../config/settings-in-effect.server";
import { listMailSettings, listSiteFacts } from "../../config/site-facts.server";
import type { Log } from "../../observability/log.server";
import type { OutboxState } from "../../observability/product-metrics.server";
import { watchDiskSpace } from "../disk-space.server";
import { edgeFunctions } from "../edge-functions.server";
import { type Backups, createBackups } from "./timers/backup-timer.server";
import type { EmbeddedSettings, EmbeddedStart, OpenedEmbedded } from "./embedded-start.server";
import { startOutboxTimer } from "./timers/outbox-timer.server";
import { readStatus } from "./read-status.server";
import type { RunBackup } from "./run-backup.server";
import { startRetentionTimer } from "./timers/retention-timer.server";
import { createTidying, tidyAfterDeletions } from "./tidy-data-folder.server";

const deliveryGraceMs = 3_000;
const settlingGraceMs = 2_000;

/** Starts an embedded backend. */
export type StartBackend = typeof startEmbeddedBackend;

/** Parts that only a backend in its own thread has. */
interface BackendThreadParts {
  /** makes backups; without it, or with BACKUP_EVERY=off, there are none */
  runBackup?: RunBackup;
  startBackend?: StartBackend;
  /**
   * Called when work begins that blocks everything else for long, and when it ends. Opening counts as long work, except
   * while it waits for a backup.
   */
  reportLongWork?: (isUnderWay: boolean) => void;
}

/**
 * Starts the embedded backend with its functions, mail and timers in the calling thread.
 * @throws MigrationFailed, AdminPasswordRefused, or the signal's reason
 */
export async function openEmbedded(
  { settings, timeouts, inEffect }: EmbeddedStart,
  log: Log,
  signal: AbortSignal,
  { runBackup, startBackend = startEmbeddedBackend, reportLongWork }: BackendThreadParts = {},
): Promise<OpenedEmbedded> {
  const { adminEmail, adminPassword } = settings.backend;
  const logEvent: BackendLog = ({ level, ...event }) => log[level ?? "info"](event);
  const backups =
    runBackup && settings.backupEveryMs !== null ? createBackups(settings, log, runBackup, signal) : undefined;
  let host: FunctionHost | undefined;
  const embedded = await startBackend({
    dataDir: settings.dataDir,
    isFolderTaken: true,
    siteUrl: settings.siteUrl,
    admin: { email: adminEmail, password: adminPassword, firm: [settings.siteUrl, settings.mail.firmName] },
    sessionLimits: settings.sessionLimits,
    functions: Object.fromEntries(
      Object.entries(edgeFunctions).map(([name, load]) => [name, async () => withHost(await load(), () => host)]),
    ),
    log: logEvent,
    backUp: backups && (() => waitForBackup(backups, reportLongWork)),
    reportLongWork,
    readStatus: (sql, key) => readStatus(sql, digestValues(inEffect, key)),
    signal,
  });
  const background = new Set<Promise<unknown>>();
  const [closing, stopping] = [new AbortController(), new AbortController()];
  const signals = { closing: closing.signal, stopping: stopping.signal };
  host = { ...createFunctionHost(embedded, settings, logEvent, background), ...signals };
  await embedded.sql("select public.require_second_factor($1)", [settings.backend.secondFactor === "required"]);
  await embedded.sql("select public.set_site_facts($1)", [JSON.stringify(listSiteFacts(settings))]);
  // These leases belong to a process that has ended: a data folder has one process at a time.
  await embedded.sql("update private.email_outbox set leased_until = null where leased_until is not null");
  await embedded.sql("select private.forget_trouble_reports()");
  // Tidying retries it, and logs why it fails.
  await markReady(settings.dataDir).catch(() => undefined);
  const outbox = startOutboxTimer(embedded, log, timeouts.outboxPoll);
  const tidy = createTidying(settings, embedded, log);
  const tidied = await tidyAfterDeletions(embedded, tidy);
  const disk = watchDiskSpace(settings.dataDir, log, timeouts.diskCheck);
  const retention = startRetentionTimer(embedded, log, tidy, timeouts.firstRetention);
  const backupTimer = backups?.startTimer(timeouts);
  return {
    url: embedded.url,
    publishableKey: embedded.publishableKey,
    firstAdmin: embedded.firstAdmin,
    isUp: () => true,
    pingDatabase: async () => void (await embedded.sql("select 1")),
    fetch: async (input, init) => {
      const response = await embedded.fetch(input, init);
      // A response that reports an erasure must be true: wait until the mail files are deleted too.
      await tidied();
      return response;
    },
    readOutbox: () => readOutbox(embedded),
    close: async () => {
      closing.abort();
      // The last thing is to tidy, because a mail that was settled may be gone, and nothing may write after the stop.
      // Sessions that take longer are ended and settled. Their mail is sent after the next start, unless its last byte
      // was sent: then it may have arrived.
      const timers = [outbox, disk, retention, backupTimer].map((timer) => timer?.stop());
      const finished = Promise.all([...timers, tidied(), ...background]);
      await withTimeout(finished, deliveryGraceMs, () => stopping.abort());
      await withTimeout(Promise.all([finished, ...background]).then(tidied), settlingGraceMs, () => undefined);
      await embedded.close();
    },
  };
}

/** Waits for a backup in another process; that is not long work of this thread. */
async function waitForBackup(backups: Backups, reportLongWork?: (isUnderWay: boolean) => void): Promise<void> {
  reportLongWork?.(false);
  try {
    await backups.makeBeforeMigrations();
  } finally {
    reportLongWork?.(true);
  }
}

function withHost(module: EdgeFunction, getHost: () => FunctionHost | undefined): EdgeFunction {
  return {
    default: {
      fetch(request) {
        const host = getHost();
        // The backend calls no function before it has started, and the host needs the backend.
        if (host === undefined) throw new Error("A function was called before its backend started.");
        return runWithHost(host, () => module.default.fetch(request));
      },
    },
  };
}

/**
 * Creates the settings and host functions for a site's edge functions.
 * @param background collects work that continues after a response
 */
function createFunctionHost(
  embedded: EmbeddedBackend,
  settings: EmbeddedSettings,
  log: BackendLog,
  background: Set<Promise<unknown>>,
): FunctionHost {
  const functionSettings: Record<string, string | undefined> = {
    SUPABASE_URL: embedded.url,
    SUPABASE_PUBLISHABLE_KEY: embedded.publishableKey,
    SUPABASE_SECRET_KEY: embedded.secretKey,
    ADMIN_EMAILS: settings.backend.adminEmail,
    ADMIN_SECOND_FACTOR: settings.backend.secondFactor,
    ...listMailSettings(settings),
    TROUBLE_URL: settings.troubleUrl,
    SITE_KEY: settings.siteKey,
    ACKNOWLEDGEMENTS_PER_HOUR: String(settings.acknowledgementsPerHour),
    NETWORK_MAILS_PER_HOUR: String(settings.networkMailsPerHour),
  };
  return {
    setting: (name) => functionSettings[name],
    fetch: embedded.fetch,
    keepMailFile: async (name, content) => {
      const folder = join(settings.dataDir, mailFolder);
      await storeMailFile(folder, name, content);
      // If the mail was erased during the write, its file did not exist yet when the erasure deleted files.
      await removeMailFilesWithoutMail(folder, embedded.sql, [name]);
    },
    newestBackupAt: async () => {
      const newest = await findNewestBackup(join(settings.dataDir, backupsFolder), Date.now()).catch(() => null);
      // With BACKUP_EVERY=off, the operator may have other backups that the site does not know.
      return newest?.at ?? (settings.backupEveryMs === null ? undefined : null);
    },
    runInBackground: (work) => {
      const settled = work.catch(() => {}).finally(() => background.delete(settled));
      background.add(settled);
    },
    log,
  };
}

/** Reads the state of the outbox and of retention for the metrics. Mail that is held on purpose does not count. */
async function readOutbox(embedded: EmbeddedBackend): Promise<OutboxState> {
  const [state] = await embedded.sql<OutboxState>(
    `select
       coalesce(extract(epoch from now() - min(created_at) filter (where gave_up_at is null)), 0)::integer
         as "oldestSeconds",
       (select extract(epoch from now() - coalesce(max(ran_at), pg_postmaster_start_time())) from private.retention_runs
         where not jsonb_path_exists(counts, '$.keyvalue() ? (@.key like_regex "_refused$")'))::integer
         as "retentionSeconds"
     from private.email_outbox as mail
     where delivered_at is null and not private.is_held(mail)`,
  );
  return state ?? { oldestSeconds: 0, retentionSeconds: 0 };
}
