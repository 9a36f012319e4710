import { type BackupKeys, type CopyPlace, findBackupKeys, findCopyPlace } from "~/lib/backup-settings";
import { company, replyWithinHours } from "~/content/company";
import type { ReplyClock } from "~/lib/reply-promise";
import type { MailContent } from "#supabase/functions/_shared/mails/mail-content";
import { type UnreadName, findIgnoredNames, findUnreadNames } from "./setting-names.server";
import { type Variables, variables } from "./setting-variables.server";
import { listContradictions } from "./settings-contradictions.server";

/** Outgoing mail needs all three; without a mail server, messages are written as `.eml` files to the data folder. */
export interface MailSettings {
  /** e.g. `smtps://user:password@mail.firm.example:465` */
  smtpUrl: string | undefined;
  /** who signs in there, where the address does not say it; both or neither */
  smtpUser: string | undefined;
  smtpPassword: string | undefined;
  /** "off": mail to a server elsewhere may leave unencrypted */
  smtpTls: "required" | "off";
  resendApiKey: string | undefined;
  /** the sender, e.g. `Firm <hello@firm.example>` */
  from: string;
  /** where the firm reads what visitors write; one or several addresses, with or without names */
  contactTo: string;
  /** what the firm's mail about a message holds; with a hosted project, the functions must be set alike */
  content: MailContent;
  /** signs what visitors are sent */
  firmName: string;
}

/** A Supabase project elsewhere, or the backend that this process starts itself. */
export type BackendSettings =
  | { kind: "hosted"; url: string; publishableKey: string }
  | { kind: "embedded"; adminEmail: string; adminPassword: string | undefined; secondFactor: "optional" | "required" };

/** Everything that an operator can set; `.env.example` documents each variable. */
export interface Settings {
  port: number;
  host: string;
  /** canonical origin without a trailing slash, e.g. `https://firm.example` */
  siteUrl: string;
  /** false while `siteUrl` is only the local default: then a form may come from whatever host the visitor typed */
  siteUrlIsExplicit: boolean;
  /** cookies are `Secure` with `__Host-` names, and HSTS is sent */
  isHttps: boolean;
  /** HSTS covers this host alone, or all of its subdomains as well */
  hsts: "host" | "subdomains";
  dataDir: string;
  /** how old the newest backup gets before the embedded backend makes another; null: it makes none by itself */
  backupEveryMs: number | null;
  /** encrypt backups and sign them; null: they are in plain */
  backupKeys: BackupKeys | null;
  /** where copies of backups go; null: nowhere */
  backupCopies: CopyPlace | null;
  /** days after which backups are deleted, as the privacy policy and the mail about an erasure say */
  backupKeepDays: number;
  backend: BackendSettings;
  /** undefined: generated and kept in the data folder (embedded backend only) */
  sessionSecret: string | undefined;
  mail: MailSettings;
  /** by when messages are to be answered; with a hosted project, the functions must be set alike */
  replyClock: ReplyClock;
  /** hops of `X-Forwarded-For` to believe, counted from the right */
  trustedProxies: number;
  /** posts per client and ten minutes; 0 turns the limit off */
  postRateLimit: number;
  /** pages and forms rendered at the same time, for all visitors together */
  rendersAtOnce: number;
  /** acknowledgements that the site sends in an hour; 0 turns the limit off */
  acknowledgementsPerHour: number;
  /** of Google Analytics 4, e.g. `G-ABC123DEF4`; undefined: pages and policies know nothing of it */
  gaMeasurementId: string | undefined;
  /** false where there is nothing to allow (no analytics) and the operator wants no question about cookies then */
  asksAboutCookies: boolean;
  /** signs calls of a hosted project's functions; undefined: there, nothing is counted, and each takes 20 calls an hour */
  siteKey: string | undefined;
  /** where figures for Prometheus are served, apart from the site; undefined: nowhere */
  metrics: { port: number; host: string } | undefined;
  /** how long an admin stays signed in, and how long without use; the embedded backend ends sessions by it */
  sessionLimits: { maxSeconds: number; idleSeconds: number };
  /** how long a stopping process goes on taking connections while /readyz says that it stops */
  drainSeconds: number;
  /** names that were set in vain, since nothing reads them */
  unreadNames: readonly UnreadName[];
  /** settings that were set in vain, since a hosted project has its own place for them */
  ignoredNames: readonly string[];
}

/** Lists every mistake at once, by variable name, and never a value: values may be secrets. */
export class SettingsError extends Error {
  override name = "SettingsError";
  constructor(readonly mistakes: string[]) {
    super(
      `The settings have ${mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`}:\n- ${mistakes.join("\n- ")}`,
    );
  }
}

/** Never reaches a person: `.localhost` is reserved (RFC 6761). */
export const defaultAdminEmail = "admin@site.localhost";
const hourInSeconds = 60 * 60;

/**
 * Reads and checks all settings.
 * @param environment variables by name; an empty value counts as not set
 * @param namesInFile names that stand in the `.env` file, all of which are meant for this site
 * @throws SettingsError with every mistake at once
 */
export function parseSettings(
  environment: Record<string, string | undefined>,
  namesInFile: readonly string[] = [],
): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, trimValue(name, value)]] : [])),
  );
  const parsed = variables.safeParse(given);
  const mistakes = [
    ...nameMistakes([...findQuoted(given), ...(parsed.error?.issues ?? [])]),
    ...listContradictions(given),
  ];
  if (!parsed.success || mistakes.length > 0) throw new SettingsError(mistakes);
  return {
    ...arrange(parsed.data),
    unreadNames: findUnreadNames(environment, namesInFile),
    ignoredNames: findIgnoredNames(parsed.data),
  };
}

/** A space at the end of a password is part of it. */
function trimValue(name: string, value: string): string {
  return name.endsWith("_PASSWORD") ? value : value.trim();
}

/** `docker run --env-file` hands quotation marks on. A password may begin and end with them. */
function findQuoted(given: Record<string, string>): { path: string[]; message: string }[] {
  const message = "is in quotation marks, which count as part of it: leave them out";
  return Object.entries(given)
    .filter(([name, value]) => name in variables.shape && /^(["']).*\1$/s.test(value) && !/PASSWORD|SECRET/.test(name))
    .map(([name]) => ({ path: [name], message }));
}

/** One line a variable: the first thing wrong with it. */
function nameMistakes(issues: { path: PropertyKey[]; message: string }[]): string[] {
  const first = new Map<string, string>();
  for (const { path, message } of issues) {
    const name = path.join(".");
    if (!first.has(name)) first.set(name, `${name} ${message}`);
  }
  return [...first.values()];
}

function arrange(v: Variables): Omit<Settings, "unreadNames" | "ignoredNames"> {
  const publishableKey = v.SUPABASE_PUBLISHABLE_KEY ?? v.SUPABASE_ANON_KEY;
  const adminEmail = (v.ADMIN_EMAIL ?? defaultAdminEmail).toLowerCase();
  const siteUrl = new URL(v.SITE_URL ?? `http://localhost:${v.PORT}`).origin;
  return {
    port: v.PORT,
    host: v.HOST,
    siteUrl,
    siteUrlIsExplicit: v.SITE_URL !== undefined,
    isHttps: siteUrl.startsWith("https:"),
    hsts: v.HSTS,
    dataDir: v.DATA_DIR,
    backupEveryMs: v.BACKUP_EVERY,
    backupKeys: findBackupKeys(v),
    backupCopies: findCopyPlace(v),
    backupKeepDays: v.BACKUP_KEEP_DAYS,
    backend:
      v.SUPABASE_URL && publishableKey
        ? { kind: "hosted", url: v.SUPABASE_URL.replace(/\/+$/, ""), publishableKey }
        : { kind: "embedded", adminEmail, adminPassword: v.ADMIN_PASSWORD, secondFactor: v.ADMIN_SECOND_FACTOR },
    sessionSecret: v.SESSION_SECRET,
    mail: {
      smtpUrl: v.SMTP_URL,
      smtpUser: v.SMTP_USER,
      smtpPassword: v.SMTP_PASSWORD,
      smtpTls: v.SMTP_TLS,
      resendApiKey: v.RESEND_API_KEY,
      from: v.MAIL_FROM ?? "Website <website@site.localhost>",
      contactTo: v.CONTACT_TO ?? adminEmail,
      content: v.MAIL_CONTENT,
      firmName: company.name,
    },
    replyClock: { withinHours: replyWithinHours, days: v.REPLY_DAYS, timeZone: v.TIME_ZONE },
    trustedProxies: v.TRUSTED_PROXIES,
    postRateLimit: v.POST_RATE_LIMIT,
    rendersAtOnce: v.RENDERS_AT_ONCE,
    acknowledgementsPerHour: v.ACKNOWLEDGEMENTS_PER_HOUR,
    gaMeasurementId: v.GA_MEASUREMENT_ID,
    asksAboutCookies: v.CONSENT_BANNER === "always" || v.GA_MEASUREMENT_ID !== undefined,
    siteKey: v.SITE_KEY,
    metrics: v.METRICS_PORT === undefined ? undefined : { port: v.METRICS_PORT, host: v.METRICS_HOST },
    sessionLimits: {
      maxSeconds: v.ADMIN_SESSION_HOURS * hourInSeconds,
      idleSeconds: v.ADMIN_IDLE_HOURS * hourInSeconds,
    },
    drainSeconds: v.DRAIN_SECONDS,
  };
}
