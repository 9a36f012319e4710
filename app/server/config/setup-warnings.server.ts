import { sendsInClear } from "#supabase/functions/_shared/outbox/mail-server-address";
import { isLoopback } from "~/lib/http/loopback";
import { listProxyWarnings } from "./proxy-warnings.server";
import { isPublicSite } from "./public-site.server";
import { type Settings, defaultAdminEmail } from "./settings.server";

/** A mistake in how the site is set up that keeps it running but costs something. Shown on `/admin` and in the log. */
export interface SetupWarning {
  /** name of the log event, e.g. `setup.no-mail-server` */
  event: string;
  /** one or two sentences: what was seen, and what it costs */
  text: string;
  /** where the documentation says what to do, e.g. `docs/OPERATIONS.md, Behind a proxy` */
  see: string;
}

/** Warning about SMTP_TLS=off, at the start and from `check-mail`. */
export const unencryptedMailWarning =
  "SMTP_TLS is off. Mail leaves this machine unencrypted, including the mail server's password, messages, and account links. " +
  "That is safe only inside one container network.";

/** Each finds one kind of mistake, or none. */
const checks: readonly ((settings: Settings) => SetupWarning | null)[] = [
  findNoMailServer,
  findUnencryptedMail,
  findUnencryptedBackend,
  findNoAdminEmail,
  findNoHttps,
  findNoSiteKey,
  findIgnoredSettings,
  findUnreadSettings,
];

/** Finds the mistakes that the settings alone reveal. */
export function listSetupWarnings(settings: Settings): SetupWarning[] {
  return [...checks.map((check) => check(settings)), ...listProxyWarnings(settings)].filter(
    (warning) => warning !== null,
  );
}

function findNoMailServer(settings: Settings): SetupWarning | null {
  const { backend, mail } = settings;
  if (!isPublicSite(settings) || backend.kind === "hosted" || mail.smtpUrl || mail.resendApiKey) return null;
  return {
    event: "setup.no-mail-server",
    text:
      "No mail server is set (SMTP_URL or RESEND_API_KEY). The firm gets no mail about messages, and visitors get no link to " +
      "confirm a data rights request.",
    see: "docs/OPERATIONS.md, “Mail”",
  };
}

function findUnencryptedMail({ backend, mail }: Settings): SetupWarning | null {
  if (backend.kind === "hosted" || !mail.smtpUrl || !sendsInClear(mail.smtpUrl, mail.smtpTls)) return null;
  return { event: "setup.mail-in-clear", text: unencryptedMailWarning, see: "docs/OPERATIONS.md, “Mail”" };
}

function findUnencryptedBackend({ backend }: Settings): SetupWarning | null {
  if (backend.kind !== "hosted") return null;
  const { protocol, hostname } = new URL(backend.url);
  if (protocol !== "http:" || isLoopback(hostname)) return null;
  return {
    event: "setup.backend-in-clear",
    text: "SUPABASE_URL begins with http://. Passwords and messages cross the network between the site and its project unencrypted.",
    see: "docs/OPERATIONS.md, “Hosted: a Supabase project”",
  };
}

function findNoAdminEmail(settings: Settings): SetupWarning | null {
  const { backend } = settings;
  if (!isPublicSite(settings) || backend.kind === "hosted" || backend.adminEmail !== defaultAdminEmail) return null;
  return {
    event: "setup.no-admin-email",
    text:
      `ADMIN_EMAIL is not set. The first admin is ${defaultAdminEmail}, which gets no mail: no link for a forgotten password, ` +
      "and no word of a sign-in on a new device.",
    see: "docs/OPERATIONS.md, “The admin”",
  };
}

function findNoHttps(settings: Settings): SetupWarning | null {
  if (!isPublicSite(settings) || settings.isHttps) return null;
  return {
    event: "setup.no-https",
    text:
      "SITE_URL begins with http://. Passwords and messages cross the network unencrypted, and browsers call the site not " +
      "secure.",
    see: "README.md, “Deploy”",
  };
}

function findNoSiteKey(settings: Settings): SetupWarning | null {
  if (!isPublicSite(settings) || settings.backend.kind === "embedded" || settings.siteKey !== undefined) return null;
  return {
    event: "setup.no-site-key",
    text:
      "SITE_KEY is not set. The project's functions cannot tell this site from a stranger: together they may send 20 messages, 20 data " +
      "rights requests, 20 cookie choices and 20 requests for a password an hour. Views are not counted.",
    see: "docs/OPERATIONS.md, “Hosted: a Supabase project”",
  };
}

function findIgnoredSettings({ ignoredNames }: Settings): SetupWarning | null {
  if (ignoredNames.length === 0) return null;
  const has = ignoredNames.length === 1 ? "has" : "have";
  return {
    event: "setup.settings-ignored",
    text: `${inWords(ignoredNames)} ${has} no effect here: a hosted project's functions and dashboard decide that.`,
    see: "docs/OPERATIONS.md, “Hosted: a Supabase project”",
  };
}

function findUnreadSettings({ unreadNames }: Settings): SetupWarning | null {
  if (unreadNames.length === 0) return null;
  // A line that holds a key and no name may look like a name; a slip of a setting does not.
  const shown = unreadNames.filter(({ name, meant }) => meant !== null || /^[A-Z][A-Z0-9_]{0,40}$/.test(name));
  const names = shown.map(({ name, meant }) => (meant === null ? name : `${name} (${meant}?)`));
  const others = unreadNames.length - shown.length;
  if (others > 0) names.push(others === 1 ? "one more name in .env" : `${others} more names in .env`);
  const is = names.length === 1 && others <= 1 ? "is" : "are";
  return {
    event: "setup.settings-unread",
    text: `${inWords(names)} ${is} set, and nothing reads ${is === "is" ? "it" : "them"}.`,
    see: ".env.example, which has every setting",
  };
}

function inWords(names: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
}
