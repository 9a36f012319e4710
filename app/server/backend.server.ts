import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type EmbeddedBackend, startEmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { setFunctionHost } from "#supabase/functions/_shared/runtime";
import { log } from "./log.server";
import { keepMailFile } from "./mail-files.server";
import { type OutboxState, measureOutbox } from "./metrics.server";
import { startOutboxTimer } from "./outbox-timer.server";
import { startRetentionTimer } from "./retention-timer.server";
import { type BackendSettings, type Settings, getSettings } from "./settings.server";

/** How the web tier reaches Supabase: an address, the publishable key and nothing more privileged than that. */
export interface Backend {
  url: string;
  publishableKey: string;
  fetch: typeof fetch;
  /** printed once by whoever starts the server; only where a password was generated in this very start */
  firstAdmin: { email: string; password: string } | null;
  close(): Promise<void>;
}

// On globalThis, because a development reload evaluates this module again while the data folder is still locked.
const store = globalThis as typeof globalThis & { [backendKey]?: Promise<Backend> };
const backendKey = Symbol.for("advisory-website.backend");

/**
 * The backend of this process; the embedded one is started by the first call.
 * @throws DataFolderInUse when another process holds the data folder
 */
export function getBackend(): Promise<Backend> {
  return (store[backendKey] ??= openBackend(getSettings()));
}

async function openBackend(settings: Settings): Promise<Backend> {
  const { backend } = settings;
  if (backend.kind === "embedded") return openEmbedded(settings, backend);
  return { url: backend.url, publishableKey: backend.publishableKey, fetch, firstAdmin: null, close: async () => {} };
}

const patienceWithMailMs = 3_000;

async function openEmbedded(
  settings: Settings,
  { adminEmail, adminPassword }: Extract<BackendSettings, { kind: "embedded" }>,
): Promise<Backend> {
  const embedded = await startEmbeddedBackend({
    dataDir: settings.dataDir,
    siteUrl: settings.siteUrl,
    admin: { email: adminEmail, password: adminPassword },
    functions: {
      "send-contact-email": () => import("#supabase/functions/send-contact-email/index"),
      "receive-data-rights-request": () => import("#supabase/functions/receive-data-rights-request/index"),
      "bootstrap-admin": () => import("#supabase/functions/bootstrap-admin/index"),
      "deliver-outbox": () => import("#supabase/functions/deliver-outbox/index"),
    },
  });
  const functionSettings: Record<string, string | undefined> = {
    SUPABASE_URL: embedded.url,
    SUPABASE_PUBLISHABLE_KEY: embedded.publishableKey,
    SUPABASE_SECRET_KEY: embedded.secretKey,
    ADMIN_EMAILS: adminEmail,
    SITE_URL: settings.siteUrl,
    SMTP_URL: settings.mail.smtpUrl,
    RESEND_API_KEY: settings.mail.resendApiKey,
    MAIL_FROM: settings.mail.from,
    CONTACT_TO: settings.mail.contactTo,
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
      await Promise.race([
        Promise.all([outbox.stop(), retention.stop(), ...background]),
        wait(patienceWithMailMs, null, { ref: false }),
      ]);
      setFunctionHost(null);
      await embedded.close();
    },
  };
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
