import { z } from "zod";
import { acknowledgementLimits } from "~/content/facts";
import { backupDays } from "~/lib/backup-days";
import type { MailContent } from "#supabase/functions/_shared/mail-content";
import { isOrigin, wholeNumber, webAddress } from "./setting-rules.server";
import { listContradictions } from "./settings-contradictions.server";

/** Outgoing mail needs all three; without a mail server, messages are written as `.eml` files to the data folder. */
export interface MailSettings {
  /** e.g. `smtps://user:password@mail.firm.example:465` */
  smtpUrl: string | undefined;
  resendApiKey: string | undefined;
  /** the sender, e.g. `Firm <hello@firm.example>` */
  from: string;
  /** where the firm reads what visitors write */
  contactTo: string;
  /** what the firm's mail about a message holds; with a hosted project, the functions must be set alike */
  content: MailContent;
}

/** A Supabase project elsewhere, or the backend that this process starts itself. */
export type BackendSettings =
  | { kind: "hosted"; url: string; publishableKey: string }
  | { kind: "embedded"; adminEmail: string; adminPassword: string | undefined };

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
  dataDir: string;
  /** days after which backups are deleted, as the privacy policy and the mail about an erasure say */
  backupKeepDays: number;
  backend: BackendSettings;
  /** undefined: generated and kept in the data folder (embedded backend only) */
  sessionSecret: string | undefined;
  mail: MailSettings;
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
  /** where figures for Prometheus are served, apart from the site; undefined: nowhere */
  metrics: { port: number; host: string } | undefined;
  /** how long an admin stays signed in, and how long without use; the embedded backend ends sessions by it */
  sessionLimits: { maxSeconds: number; idleSeconds: number };
  /** how long a stopping process goes on taking connections while /readyz says that it stops */
  drainSeconds: number;
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
const defaultAdminEmail = "admin@site.localhost";
const minSessionSecretLength = 32;
const minAdminPasswordLength = 12;
const hourInSeconds = 60 * 60;

const variables = z.object({
  PORT: wholeNumber(0, 65535).default(3000),
  HOST: z.string().default("127.0.0.1"),
  SITE_URL: webAddress(/^https?$/, "https://firm.example")
    .refine((url) => isOrigin(url), "must be an origin only, like https://firm.example, without a path")
    .optional(),
  DATA_DIR: z.string().default("./data"),
  BACKUP_KEEP_DAYS: wholeNumber(backupDays.fewest, backupDays.most).default(backupDays.unlessSet),
  SUPABASE_URL: webAddress(/^https?$/, "https://project.supabase.co").optional(),
  SUPABASE_PUBLISHABLE_KEY: z.string().optional(),
  SUPABASE_ANON_KEY: z.string().optional(),
  SESSION_SECRET: z
    .string()
    .min(minSessionSecretLength, `must have at least ${minSessionSecretLength} characters`)
    .optional(),
  ADMIN_EMAIL: z.email("must be an email address").optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(minAdminPasswordLength, `must have at least ${minAdminPasswordLength} characters`)
    // bcrypt reads 72 bytes: what stands behind them would not count.
    .refine((password) => Buffer.byteLength(password) <= 72, "must have at most 72 bytes")
    .optional(),
  ADMIN_SESSION_HOURS: wholeNumber(1, 720).default(24),
  ADMIN_IDLE_HOURS: wholeNumber(1, 720).default(8),
  SMTP_URL: webAddress(/^smtps?$/, "smtps://user:password@mail.firm.example:465").optional(),
  RESEND_API_KEY: z.string().optional(),
  MAIL_FROM: z.string().optional(),
  CONTACT_TO: z.email("must be an email address").optional(),
  MAIL_CONTENT: z.enum(["full", "notice"], "must be full or notice").default("full"),
  TRUSTED_PROXIES: wholeNumber(0, 10).default(0),
  POST_RATE_LIMIT: wholeNumber(0, 1_000_000).default(20),
  RENDERS_AT_ONCE: wholeNumber(1, 1_000).default(16),
  ACKNOWLEDGEMENTS_PER_HOUR: wholeNumber(0, 1_000_000).default(acknowledgementLimits.perHour),
  GA_MEASUREMENT_ID: z
    .string()
    .regex(/^G-[A-Z0-9]{4,20}$/, "must look like G-ABC123DEF4")
    .optional(),
  METRICS_PORT: wholeNumber(1, 65535).optional(),
  METRICS_HOST: z.string().default("127.0.0.1"),
  DRAIN_SECONDS: wholeNumber(0, 300).default(0),
});

type Variables = z.output<typeof variables>;

/**
 * Reads and checks all settings.
 * @param environment variables by name; an empty value counts as not set
 * @throws SettingsError with every mistake at once
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, trimValue(name, value)]] : [])),
  );
  const parsed = variables.safeParse(given);
  const mistakes = [...nameMistakes(parsed.error?.issues ?? []), ...listContradictions(given)];
  if (!parsed.success || mistakes.length > 0) throw new SettingsError(mistakes);
  return arrange(parsed.data);
}

/** A space at the end of a password is part of it. */
function trimValue(name: string, value: string): string {
  return name === "ADMIN_PASSWORD" ? value : value.trim();
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

function arrange(v: Variables): Settings {
  const publishableKey = v.SUPABASE_PUBLISHABLE_KEY ?? v.SUPABASE_ANON_KEY;
  const adminEmail = (v.ADMIN_EMAIL ?? defaultAdminEmail).toLowerCase();
  const siteUrl = new URL(v.SITE_URL ?? `http://localhost:${v.PORT}`).origin;
  return {
    port: v.PORT,
    host: v.HOST,
    siteUrl,
    siteUrlIsExplicit: v.SITE_URL !== undefined,
    isHttps: siteUrl.startsWith("https:"),
    dataDir: v.DATA_DIR,
    backupKeepDays: v.BACKUP_KEEP_DAYS,
    backend:
      v.SUPABASE_URL && publishableKey
        ? { kind: "hosted", url: v.SUPABASE_URL.replace(/\/+$/, ""), publishableKey }
        : { kind: "embedded", adminEmail, adminPassword: v.ADMIN_PASSWORD },
    sessionSecret: v.SESSION_SECRET,
    mail: {
      smtpUrl: v.SMTP_URL,
      resendApiKey: v.RESEND_API_KEY,
      from: v.MAIL_FROM ?? "Website <website@site.localhost>",
      contactTo: v.CONTACT_TO ?? adminEmail,
      content: v.MAIL_CONTENT,
    },
    trustedProxies: v.TRUSTED_PROXIES,
    postRateLimit: v.POST_RATE_LIMIT,
    rendersAtOnce: v.RENDERS_AT_ONCE,
    acknowledgementsPerHour: v.ACKNOWLEDGEMENTS_PER_HOUR,
    gaMeasurementId: v.GA_MEASUREMENT_ID,
    metrics: v.METRICS_PORT === undefined ? undefined : { port: v.METRICS_PORT, host: v.METRICS_HOST },
    sessionLimits: {
      maxSeconds: v.ADMIN_SESSION_HOURS * hourInSeconds,
      idleSeconds: v.ADMIN_IDLE_HOURS * hourInSeconds,
    },
    drainSeconds: v.DRAIN_SECONDS,
  };
}
