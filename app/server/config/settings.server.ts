import { findBackupKeys, findBackupBucket } from "~/lib/backup-settings";
import { isLoopback } from "~/lib/http/loopback";
import { company, founderName, replyWithinHours } from "~/content/company";
import { type UnreadName, type VariableInFile, findIgnoredNames, findUnreadNames } from "./setting-names.server";
import { type Variables, variables } from "./setting-variables.server";
import { listContradictions } from "./settings-contradictions.server";

/** A hosted Supabase project, or the embedded backend in this process. */
export type BackendSettings =
  | { kind: "hosted"; url: string; publishableKey: string }
  | { kind: "embedded"; adminEmail: string; adminPassword: string | undefined; secondFactor: "optional" | "required" };

/** All settings of an operator; setting-variables.server.ts documents each variable. */
export type Settings = ReturnType<typeof arrange> & {
  /** values by variable, with defaults; `doctor` compares them with those of the running server */
  values: Readonly<Variables>;
  /** variables in the settings file that are not used */
  unreadNames: readonly UnreadName[];
  /** settings without effect, because a hosted project configures them elsewhere */
  ignoredNames: readonly string[];
};

/** Lists all mistakes, by variable name and never with the value: values may be secrets. */
export class SettingsError extends Error {
  override name = "SettingsError";
  constructor(readonly mistakes: string[]) {
    super(
      `The settings have ${mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`}:\n- ${mistakes.join("\n- ")}`,
    );
  }
}

/** Never delivered to a person: `.localhost` is reserved (RFC 6761). */
export const defaultAdminEmail = "admin@site.localhost";
const hourInSeconds = 60 * 60;

/**
 * Reads and validates all settings.
 * @param environment variables by name; an empty value counts as not set
 * @param namesInFile variables in the settings file, all of which are meant for this site
 * @throws SettingsError with all mistakes
 */
export function parseSettings(
  environment: Record<string, string | undefined>,
  namesInFile: readonly VariableInFile[] = [],
): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, trimValue(name, value)]] : [])),
  );
  const parsed = variables.safeParse(given);
  const mistakes = [
    ...nameMistakes([...findQuoted(given), ...(parsed.error?.issues ?? [])]),
    ...listContradictions(given),
  ];
  if (!parsed.success || mistakes.length > 0)
    throw new SettingsError(mistakes.map((mistake) => locateMistake(mistake, namesInFile)));
  return {
    ...arrange(parsed.data),
    values: parsed.data,
    unreadNames: findUnreadNames(namesInFile),
    ignoredNames: findIgnoredNames(parsed.data),
  };
}

/** A space at the end of a password is part of it. */
function trimValue(name: string, value: string): string {
  return name.endsWith("_PASSWORD") ? value : value.trim();
}

/** `docker run --env-file` keeps quotation marks in values. A password may really begin and end with them. */
function findQuoted(given: Record<string, string>): { path: string[]; message: string }[] {
  const message = "is in quotation marks, which are part of the value here: remove them";
  return Object.entries(given)
    .filter(([name, value]) => name in variables.shape && /^(["']).*\1$/s.test(value) && !/PASSWORD|SECRET/.test(name))
    .map(([name]) => ({ path: [name], message }));
}

/** Names the first mistake of each variable. */
function nameMistakes(issues: { path: PropertyKey[]; message: string }[]): string[] {
  const first = new Map<string, string>();
  for (const { path, message } of issues) {
    const name = path.join(".");
    if (!first.has(name)) first.set(name, `${name} ${message}`);
  }
  return [...first.values()];
}

/** Says where the value stands that a mistake is about, unless no file has the setting. */
function locateMistake(mistake: string, namesInFile: readonly VariableInFile[]): string {
  const found = namesInFile.find(({ name }) => mistake.startsWith(`${name} `));
  return found ? `${found.isOverridden ? "the environment" : found.place}: ${mistake}` : mistake;
}

function arrange(v: Variables) {
  const adminEmail = (v.ADMIN_EMAIL ?? defaultAdminEmail).toLowerCase();
  const siteUrl = new URL(v.SITE_URL ?? `http://localhost:${v.PORT}`).origin;
  return {
    port: v.PORT,
    host: v.HOST,
    /** canonical origin without a trailing slash, e.g. `https://firm.example` */
    siteUrl,
    /** false if `siteUrl` is only the local default; forms are then accepted from the host that the visitor typed */
    siteUrlIsExplicit: v.SITE_URL !== undefined,
    /** other machines can reach the site at its address */
    isPublic: v.SITE_URL !== undefined && !isLoopback(new URL(siteUrl).hostname),
    /** cookies are `Secure` with `__Host-` names, and HSTS is sent */
    isHttps: siteUrl.startsWith("https:"),
    /** HSTS covers this host alone, or all of its subdomains as well */
    hsts: v.HSTS,
    dataDir: v.DATA_DIR,
    /** interval of automatic backups of the embedded backend; null: none */
    backupEveryMs: v.BACKUP_EVERY,
    /** keys to encrypt and sign backups; null: backups are not encrypted */
    backupKeys: findBackupKeys(v),
    /** destination for copies of backups; null: no copies */
    backupCopies: findBackupBucket(v),
    /** days until backups are deleted; the privacy policy and the mail about an erasure state it */
    backupKeepDays: v.BACKUP_KEEP_DAYS,
    backend: findBackend(v, adminEmail),
    /** undefined: generated and stored in the data folder (embedded backend only) */
    sessionSecret: v.SESSION_SECRET,
    /** outgoing mail; without a mail server, it is written as `.eml` files to the data folder */
    mail: {
      /** e.g. `smtps://user:password@mail.firm.example:465` */
      smtpUrl: v.SMTP_URL,
      /** user for the mail server if `smtpUrl` has none; set together with `smtpPassword` */
      smtpUser: v.SMTP_USER,
      smtpPassword: v.SMTP_PASSWORD,
      /** "off": mail to a remote server may be sent unencrypted */
      smtpTls: v.SMTP_TLS,
      resendApiKey: v.RESEND_API_KEY,
      /** the sender, e.g. `Firm <hello@firm.example>` */
      from: v.MAIL_FROM ?? "website@site.localhost",
      /** inbox of the firm: one or more addresses, with or without display names */
      contactTo: v.CONTACT_TO ?? adminEmail,
      /** content of the firm's mail about a message */
      content: v.MAIL_CONTENT,
      /** signatures of mails to visitors */
      firmName: company.name,
      founderName,
    },
    /** deadline for replies to messages; a hosted project's functions must have the same setting */
    replyClock: {
      withinHours: replyWithinHours,
      days: v.REPLY_DAYS,
      timeZone: v.TIME_ZONE,
      closed: company.closed,
    },
    /** trusted hops of `X-Forwarded-For`, counted from the right */
    trustedProxies: v.TRUSTED_PROXIES,
    /** posts per client in ten minutes; 0 turns the limit off */
    postRateLimit: v.POST_RATE_LIMIT,
    /** acknowledgements that the site sends per hour; 0 turns the limit off */
    acknowledgementsPerHour: v.ACKNOWLEDGEMENTS_PER_HOUR,
    /** mails of letters to the network that the site sends per hour */
    networkMailsPerHour: v.NETWORK_MAILS_PER_HOUR,
    /** measurement ID of Google Analytics 4, e.g. `G-ABC123DEF4`; undefined: pages and policies do not mention it */
    gaMeasurementId: v.GA_MEASUREMENT_ID,
    /** false to hide the cookie banner: the site has no analytics, and the operator set CONSENT_BANNER=when-needed */
    asksAboutCookies: v.CONSENT_BANNER === "always" || v.GA_MEASUREMENT_ID !== undefined,
    /** signs calls of a hosted project's functions; without it, each takes 20 calls an hour and views are not counted */
    siteKey: v.SITE_KEY,
    /** false if LOG_REQUESTS=off: the log has no line for each request */
    logsRequests: v.LOG_REQUESTS === "on",
    /** address of the metrics for Prometheus, separate from the site; undefined: not served */
    metrics: v.METRICS_PORT === undefined ? undefined : { port: v.METRICS_PORT, host: v.METRICS_HOST },
    /** longest session of an admin, in total and without activity; the embedded backend ends sessions by it */
    sessionLimits: {
      maxSeconds: v.ADMIN_SESSION_HOURS * hourInSeconds,
      idleSeconds: v.ADMIN_IDLE_HOURS * hourInSeconds,
    },
    /** seconds for which a stopping process accepts connections while /readyz returns 503 */
    drainSeconds: v.DRAIN_SECONDS,
    /** gets a POST for each trouble of the embedded backend's site and its end; a hosted project's functions have their own */
    troubleUrl: v.TROUBLE_URL,
    /** gets a GET each quarter hour while the site is ready */
    heartbeatUrl: v.HEARTBEAT_URL,
  };
}

function findBackend(v: Variables, adminEmail: string): BackendSettings {
  const { SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: publishableKey } = v;
  return url && publishableKey
    ? { kind: "hosted", url: url.replace(/\/+$/, ""), publishableKey }
    : { kind: "embedded", adminEmail, adminPassword: v.ADMIN_PASSWORD, secondFactor: v.ADMIN_SECOND_FACTOR };
}
