import { join } from "node:path";
import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import type { FolderLock } from "#supabase/embedded/lock";
import { setFunctionHost } from "#supabase/functions/_shared/runtime";
import { withTimeout } from "~/lib/with-timeout";
import { log } from "./log.server";
import { keepMailFile } from "./mail-files.server";
import { type OutboxState, measureOutbox } from "./metrics.server";
import { startOutboxTimer } from "./outbox-timer.server";
import { startRetentionTimer } from "./retention-timer.server";
import type { BackendSettings, Settings } from "./settings.server";

/** Settings that make the backend this process's own. */
export type EmbeddedSettings = Settings & { backend: Extract<BackendSettings, { kind: "embedded" }> };

/** What may be given to `openEmbedded`, both handed on to `startEmbeddedBackend`. */
export interface EmbeddedStart {
  lock?: FolderLock | undefined;
  signal?: AbortSignal | undefined;
}

const patienceWithMailMs = 3_000;

/**
 * Starts the embedded backend with its functions, mail and timers. Its program is loaded here and no sooner: with a
 * project elsewhere it would only take memory (25 MB), and pages can be answered before it is there.
 * @returns a `Backend` (backend.server)
 * @throws DataFolderInUse, MigrationFailed, AdminPasswordRefused, or the signal's reason
 */
export async function openEmbedded(settings: EmbeddedSettings, { lock, signal }: EmbeddedStart = {}) {
  const { startEmbeddedBackend } = await import("#supabase/embedded/embedded-backend");
  const { adminEmail, adminPassword } = settings.backend;
  const embedded = await startEmbeddedBackend({
    dataDir: settings.dataDir,
    siteUrl: settings.siteUrl,
    admin: { email: adminEmail, password: adminPassword },
    sessionLimits: settings.sessionLimits,
    functions: {
      "send-contact-email": () => import("#supabase/functions/send-contact-email/index"),
      "receive-data-rights-request": () => import("#supabase/functions/receive-data-rights-request/index"),
      "bootstrap-admin": () => import("#supabase/functions/bootstrap-admin/index"),
      "deliver-outbox": () => import("#supabase/functions/deliver-outbox/index"),
    },
    log,
    lock,
    signal,
  });
  const background = hostFunctions(embedded, settings);
  // Whoever held these leases is gone: the folder has one process at a time.
  await embedded.sql("update private.email_outbox set leased_until = null where leased_until is not null");
  measureOutbox(() => readOutbox(embedded));
  const outbox = startOutboxTimer(embedded);
  const retention = startRetentionTimer(embedded);
  return {
    url: embedded.url,
    publishableKey: embedded.publishableKey,
    fetch: embedded.fetch,
    firstAdmin: embedded.firstAdmin,
    close: async () => {
      // A delivery that hangs on its mail server is cut off: its mail is still due, and goes out after the next start.
      const finished = Promise.all([outbox.stop(), retention.stop(), ...background]);
      await withTimeout(finished, patienceWithMailMs, () => undefined);
      setFunctionHost(null);
      await embedded.close();
    },
  };
}

/** Gives the functions their settings and ways out. @returns what they do behind their answers, while it lasts */
function hostFunctions(embedded: EmbeddedBackend, settings: EmbeddedSettings): ReadonlySet<Promise<unknown>> {
  const functionSettings: Record<string, string | undefined> = {
    SUPABASE_URL: embedded.url,
    SUPABASE_PUBLISHABLE_KEY: embedded.publishableKey,
    SUPABASE_SECRET_KEY: embedded.secretKey,
    ADMIN_EMAILS: settings.backend.adminEmail,
    SITE_URL: settings.siteUrl,
    SMTP_URL: settings.mail.smtpUrl,
    RESEND_API_KEY: settings.mail.resendApiKey,
    MAIL_FROM: settings.mail.from,
    CONTACT_TO: settings.mail.contactTo,
    ACKNOWLEDGEMENTS_PER_HOUR: String(settings.acknowledgementsPerHour),
  };
  const background = new Set<Promise<unknown>>();
  setFunctionHost({
    setting: (name) => functionSettings[name],
    fetch: embedded.fetch,
    keepMailFile: (name, message) => keepMailFile(join(settings.dataDir, "mail"), name, message),
    runInBackground: (work) => {
      const settled = work.catch(() => {}).finally(() => background.delete(settled));
      background.add(settled);
    },
    log,
  });
  return background;
}

/** What waits in the outbox, for the metrics; mail that is held on purpose does not count. */
async function readOutbox(embedded: EmbeddedBackend): Promise<OutboxState> {
  const [state] = await embedded.sql<OutboxState>(
    `select
       count(*) filter (where gave_up_at is null)::integer as waiting,
       count(*) filter (where gave_up_at is not null)::integer as "givenUp",
       coalesce(extract(epoch from now() - min(created_at) filter (where gave_up_at is null)), 0)::integer
         as "oldestSeconds"
     from private.email_outbox as mail
     where delivered_at is null and not private.is_held(mail)`,
  );
  return state ?? { waiting: 0, givenUp: 0, oldestSeconds: 0 };
}
