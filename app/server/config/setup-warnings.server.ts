import { sendsUnencrypted, skipsCertificate } from "#supabase/functions/_shared/outbox/mail-server-address";
import { isLoopback } from "~/lib/http/loopback";
import { type Settings, defaultAdminEmail } from "./settings.server";

/** A setup mistake that lets the site run but costs something. Shown on `/admin` and in the log. */
export interface SetupWarning {
  /** log event, e.g. `setup.no-mail-server` */
  event: string;
  /** one or two sentences: the finding and its consequence */
  text: string;
  /** section of the documentation with the remedy, e.g. `docs/operations/proxy.md` */
  see: string;
  /** true if something certainly fails; else it may be intended, for example in a private network */
  isCertain?: boolean;
}

/** A mistake that the settings alone reveal. */
interface SettingsMistake extends SetupWarning {
  isMade(settings: Settings): boolean;
}

/** Mismatch between `TRUSTED_PROXIES` and the real proxies in front of the site. */
export type HopMismatch = "ignored" | "fewer" | "more" | "cdn";

const onlyOneClient =
  "all visitors count as one client, and ordinary traffic can lock everyone out of the forms and the sign-in";

/** Warnings about a mismatch. They suggest no number: a wrong guess would make matters worse. */
export const hopWarnings: Record<HopMismatch, SetupWarning> = {
  ignored: {
    event: "setup.forwarded-for-ignored",
    text: `A proxy is in front of the site, but TRUSTED_PROXIES is 0, so the visitor addresses that it forwards are ignored: ${onlyOneClient}.`,
    see: "docs/operations/proxy.md",
  },
  fewer: {
    event: "setup.fewer-proxies",
    text: "X-Forwarded-For lists fewer proxies than TRUSTED_PROXIES counts: visitors may be able to forge their address and escape every limit, or all of them count as one client.",
    see: "docs/operations/proxy.md",
  },
  more: {
    event: "setup.more-proxies",
    text: `X-Forwarded-For lists more proxies than TRUSTED_PROXIES counts, so a proxy's address counts as the visitor's: ${onlyOneClient}.`,
    see: "docs/operations/proxy.md",
  },
  cdn: {
    event: "setup.cdn-not-counted",
    text: "Requests come through a CDN that TRUSTED_PROXIES or the proxy next to the site does not account for: visitors share an address of the CDN or the proxy, and ordinary traffic can lock them out of the forms and the sign-in.",
    see: "docs/operations/proxy.md",
  },
};

/** Mistakes whose words depend on no setting. */
const mistakes: readonly SettingsMistake[] = [
  {
    event: "setup.no-mail-server",
    text:
      "No mail server is set (SMTP_URL or RESEND_API_KEY). The firm gets no email about messages, and visitors get no link to " +
      "confirm a data rights request.",
    see: "docs/operations/mail.md",
    isCertain: true,
    isMade: (settings) => isPublicAndEmbedded(settings) && !settings.mail.smtpUrl && !settings.mail.resendApiKey,
  },
  {
    event: "setup.mail-in-clear",
    text:
      "SMTP_TLS is off. Mail leaves this machine unencrypted, including the mail server's password, messages, and account links. " +
      "That is safe only inside one container network.",
    see: "docs/operations/mail.md",
    isMade: ({ backend, mail: { smtpUrl, smtpTls } }) =>
      backend.kind === "embedded" && smtpUrl !== undefined && sendsUnencrypted(smtpUrl, smtpTls),
  },
  {
    event: "setup.mail-unverified",
    text:
      "SMTP_URL says tls.rejectUnauthorized=false. Any machine between this one and the mail server can pose as it, and then reads the " +
      "mail server's password, messages, and account links.",
    see: "docs/operations/mail.md",
    isMade: ({ backend, mail: { smtpUrl } }) =>
      backend.kind === "embedded" && smtpUrl !== undefined && skipsCertificate(smtpUrl),
  },
  {
    event: "setup.backend-in-clear",
    text: "SUPABASE_URL begins with http://. Passwords and messages travel unencrypted between the site and its project.",
    see: "docs/operations/hosted.md",
    isMade: ({ backend }) =>
      backend.kind === "hosted" && /^http:/i.test(backend.url) && !isLoopback(new URL(backend.url).hostname),
  },
  {
    event: "setup.no-admin-email",
    text:
      `ADMIN_EMAIL is not set. The first admin is ${defaultAdminEmail}, which receives no email: no link for a forgotten password, ` +
      "and no notice of a sign-in on a new device.",
    see: "docs/operations/people.md",
    isMade: (settings) =>
      isPublicAndEmbedded(settings) &&
      settings.backend.kind === "embedded" &&
      settings.backend.adminEmail === defaultAdminEmail,
  },
  {
    event: "setup.no-https",
    text:
      "SITE_URL begins with http://. Passwords and messages cross the network unencrypted, and browsers mark the site as not " +
      "secure.",
    see: "README.md, “Deploy”",
    isMade: (settings) => settings.isPublic && !settings.isHttps,
  },
  {
    event: "setup.no-site-key",
    text:
      "SITE_KEY is not set. The project's functions cannot tell this site from other callers: all together may send 20 messages, 20 data " +
      "rights requests, 20 cookie decisions and 20 password requests an hour. Views are not counted.",
    see: "docs/operations/hosted.md",
    isMade: (settings) => settings.isPublic && settings.backend.kind === "hosted" && settings.siteKey === undefined,
  },
  {
    ...hopWarnings.ignored,
    isCertain: true,
    // This server does not terminate TLS, so an https address implies a proxy.
    isMade: ({ isHttps, trustedProxies }) => isHttps && trustedProxies === 0,
  },
];

/** Mistakes that show only while the site runs: in its calls of the project, and in its database. */
export const runtimeWarnings = {
  refusedKey: {
    event: "setup.site-key-refused",
    text:
      "The project's functions do not recognize this site's calls: SITE_KEY is missing or differs from theirs, or a clock is off by more than " +
      "a minute. Each function accepts 20 calls an hour, and views are not counted.",
    see: "docs/operations/hosted.md",
  },
  newerDatabase: {
    event: "backend.newer",
    text: "The database has migrations of a later version than this program. Run the later version here, too.",
    see: "docs/operations/upgrade.md",
  },
} satisfies Record<string, SetupWarning>;

/** Finds the setup mistakes that the settings alone reveal. */
export function listSetupWarnings(settings: Settings): SetupWarning[] {
  const unread = describeUnread(settings);
  return [
    ...mistakes.flatMap(({ isMade, ...warning }) => (isMade(settings) ? [warning] : [])),
    ...listIgnored(settings),
    ...(unread === null
      ? []
      : [{ event: "setup.settings-unread", text: unread, see: ".env.example, which has every setting" }]),
  ];
}

function isPublicAndEmbedded(settings: Settings): boolean {
  return settings.isPublic && settings.backend.kind === "embedded";
}

function listIgnored({ ignoredNames }: Settings): SetupWarning[] {
  if (ignoredNames.length === 0) return [];
  const has = ignoredNames.length === 1 ? "has" : "have";
  const text = `${inWords(ignoredNames)} ${has} no effect here: configure that in the hosted project's functions and dashboard.`;
  return [{ event: "setup.settings-ignored", text, see: "docs/operations/hosted.md" }];
}

/** Names the lines of the settings file that have no effect; null if there are none. */
export function describeUnread({ unreadNames }: Pick<Settings, "unreadNames">): string | null {
  if (unreadNames.length === 0) return null;
  // A pasted key without a name may look like a name; show only names that look like settings.
  const names = unreadNames.map(
    ({ name, place }) => `${/^[A-Z][A-Z0-9_]{0,40}$/.test(name) ? name : "a name"} on ${place}`,
  );
  return `${inWords(names)} ${names.length === 1 ? "is" : "are"} set but not used.`;
}

function inWords(names: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
}
