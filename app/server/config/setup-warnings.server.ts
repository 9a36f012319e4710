import { sendsUnencrypted } from "#supabase/functions/_shared/outbox/mail-server-address";
import { isLoopback } from "~/lib/http/loopback";
import { listProxyWarnings } from "./proxy-warnings.server";
import { isPublicSite } from "./public-site.server";
import { type Settings, defaultAdminEmail } from "./settings.server";

/** A setup mistake that lets the site run but costs something. Shown on `/admin` and in the log. */
export interface SetupWarning {
  /** log event, e.g. `setup.no-mail-server` */
  event: string;
  /** one or two sentences: the finding and its consequence */
  text: string;
  /** section of the documentation with the remedy, e.g. `docs/operations/proxy.md` */
  see: string;
}

/** Warning about SMTP_TLS=off, at startup and from `doctor`. */
const unencryptedMailWarning =
  "SMTP_TLS is off. Mail leaves this machine unencrypted, including the mail server's password, messages, and account links. " +
  "That is safe only inside one container network.";

/** Checks for one kind of mistake each; null if there is none. */
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

/** Finds the setup mistakes that the settings alone reveal. */
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
      "No mail server is set (SMTP_URL or RESEND_API_KEY). The firm gets no email about messages, and visitors get no link to " +
      "confirm a data rights request.",
    see: "docs/operations/mail.md",
  };
}

function findUnencryptedMail({ backend, mail }: Settings): SetupWarning | null {
  if (backend.kind === "hosted" || !mail.smtpUrl || !sendsUnencrypted(mail.smtpUrl, mail.smtpTls)) return null;
  return { event: "setup.mail-in-clear", text: unencryptedMailWarning, see: "docs/operations/mail.md" };
}

function findUnencryptedBackend({ backend }: Settings): SetupWarning | null {
  if (backend.kind !== "hosted") return null;
  const { protocol, hostname } = new URL(backend.url);
  if (protocol !== "http:" || isLoopback(hostname)) return null;
  return {
    event: "setup.backend-in-clear",
    text: "SUPABASE_URL begins with http://. Passwords and messages travel unencrypted between the site and its project.",
    see: "docs/operations/hosted.md",
  };
}

function findNoAdminEmail(settings: Settings): SetupWarning | null {
  const { backend } = settings;
  if (!isPublicSite(settings) || backend.kind === "hosted" || backend.adminEmail !== defaultAdminEmail) return null;
  return {
    event: "setup.no-admin-email",
    text:
      `ADMIN_EMAIL is not set. The first admin is ${defaultAdminEmail}, which receives no email: no link for a forgotten password, ` +
      "and no notice of a sign-in on a new device.",
    see: "docs/operations/people.md",
  };
}

function findNoHttps(settings: Settings): SetupWarning | null {
  if (!isPublicSite(settings) || settings.isHttps) return null;
  return {
    event: "setup.no-https",
    text:
      "SITE_URL begins with http://. Passwords and messages cross the network unencrypted, and browsers mark the site as not " +
      "secure.",
    see: "README.md, “Deploy”",
  };
}

function findNoSiteKey(settings: Settings): SetupWarning | null {
  if (!isPublicSite(settings) || settings.backend.kind === "embedded" || settings.siteKey !== undefined) return null;
  return {
    event: "setup.no-site-key",
    text:
      "SITE_KEY is not set. The project's functions cannot tell this site from other callers: all together may send 20 messages, 20 data " +
      "rights requests, 20 cookie decisions and 20 password requests an hour. Views are not counted.",
    see: "docs/operations/hosted.md",
  };
}

function findIgnoredSettings({ ignoredNames }: Settings): SetupWarning | null {
  if (ignoredNames.length === 0) return null;
  const has = ignoredNames.length === 1 ? "has" : "have";
  return {
    event: "setup.settings-ignored",
    text: `${inWords(ignoredNames)} ${has} no effect here: configure that in the hosted project's functions and dashboard.`,
    see: "docs/operations/hosted.md",
  };
}

/** Names the lines of the settings file that have no effect. */
export function findUnreadSettings({ unreadNames }: Pick<Settings, "unreadNames">): SetupWarning | null {
  if (unreadNames.length === 0) return null;
  const names = unreadNames.map(({ name, place, meant }) => {
    // A pasted key without a name may look like a name; show only names that look like settings.
    const isName = meant !== null || /^[A-Z][A-Z0-9_]{0,40}$/.test(name);
    return `${isName ? name : "a name"} on ${place}${meant === null ? "" : ` (${meant}?)`}`;
  });
  return {
    event: "setup.settings-unread",
    text: `${inWords(names)} ${names.length === 1 ? "is" : "are"} set but not used.`,
    see: ".env.example, which has every setting",
  };
}

function inWords(names: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
}
