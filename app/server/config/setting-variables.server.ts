import { z } from "zod";
import { usualMailContent } from "#supabase/functions/_shared/mails/mail-content";
import { networkMailsPerHour } from "#supabase/functions/_shared/network-fields";
import { acknowledgementLimits } from "~/content/facts";
import { backupDays, backupVariables } from "~/lib/backup-settings";
import { isTimeZone, replyDays, usualTimeZone } from "~/lib/reply-promise";
import {
  addressList,
  emailAddress,
  hookAddress,
  interval,
  isOrigin,
  mailServerAddress,
  sender,
  wholeNumber,
  webAddress,
} from "./setting-rules.server";

const minSessionSecretLength = 32;
const minAdminPasswordLength = 12;
const minSiteKeyLength = 32;

/** A setting whose value no command prints. */
const secret = { isSecret: true };
/** A setting of the embedded backend. A hosted project configures it elsewhere. */
const embedded = { only: "embedded" };
const embeddedSecret = { ...embedded, ...secret };
/** A setting that applies only to a hosted project. */
const hosted = { only: "hosted" };
const hostedSecret = { ...hosted, ...secret };

const site = {
  /**
   * The canonical origin, e.g. https://firm.example. Set it in production: forms are accepted from this origin only,
   * links in mails point here, and other public names redirect here. With https, cookies are Secure with __Host- names,
   * and HSTS is sent.
   */
  SITE_URL: webAddress(/^https?$/, "https://firm.example")
    .refine((url) => isOrigin(url), "must be an origin only, like https://firm.example, without a path")
    .optional(),
  /**
   * How many of your proxies stand in front and append to X-Forwarded-For. 0 ignores the header: behind a proxy all
   * visitors then count as one client, and ordinary traffic uses up every limit (docs/operations/proxy.md).
   */
  TRUSTED_PROXIES: wholeNumber(0, 10).prefault("0"),
  /** Port and address to listen on. The image sets HOST=0.0.0.0; then set SITE_URL, too. */
  PORT: wholeNumber(0, 65535).prefault("3000"),
  HOST: z.string().prefault("127.0.0.1"),
  /**
   * The YAML file with the firm's facts: name, addresses, founder, promise of reply (docs/facts.example.yaml is a
   * template). Empty: facts.yaml in the data folder, or else built-in placeholders.
   */
  // Read when the modules load (content/firm/facts-file.server.ts), because pages are built from the facts.
  SITE_FACTS: z.string().optional(),
  /**
   * The firm's time zone, e.g. America/New_York or Europe/Berlin (no abbreviation such as CET). It decides business
   * days, the morning of the digest, and every date and time on pages, in mails and in files, due dates included. With
   * a hosted project, run `npm run doctor -- --write-facts` after changing it, REPLY_DAYS or MAIL_CONTENT.
   */
  TIME_ZONE: z
    .string()
    .refine(isTimeZone, "must be the name of a time zone, like Europe/Berlin")
    .prefault(usualTimeZone),
  /**
   * Days that count for the promise to reply (24 hours, unless the facts say replyWithinHours): "all", or "business"
   * for Monday to Friday. The inbox, reminders, pages and mails follow it.
   */
  REPLY_DAYS: z.enum(replyDays, "must be all or business").prefault("all"),
  /**
   * Google Analytics 4, e.g. G-ABC123DEF4. Best left empty: the server counts views by itself (/admin/numbers), and
   * nothing of Google is on the site. If set, its tag loads on content pages for visitors who allowed analytics only,
   * and the cookie policy says that it is in use.
   */
  GA_MEASUREMENT_ID: z
    .string()
    .regex(/^G-[A-Z0-9]{4,20}$/, "must look like G-ABC123DEF4")
    .optional(),
  /**
   * Shows the cookie banner on a first visit "always", or only "when-needed", with GA_MEASUREMENT_ID set. The site's
   * other cookies need no consent by law. "Cookie preferences" stays at the foot of every page.
   */
  CONSENT_BANNER: z.enum(["always", "when-needed"], "must be always or when-needed").prefault("always"),
};

const mail = {
  /**
   * A mail server, e.g. smtps://mail.firm.example:465, or Resend. With neither, mails are written as .eml files to the
   * data folder. User and password need no escaping here: SMTP_PASSWORD='…'. They may also stand in the address
   * (smtps://user:password@mail.firm.example:465), where / # ? % are written as %2F %23 %3F %25.
   */
  SMTP_URL: mailServerAddress("smtps://user:password@mail.firm.example:465").optional().meta(embedded),
  SMTP_USER: z.string().optional().meta(embedded),
  SMTP_PASSWORD: z.string().optional().meta(embeddedSecret),
  RESEND_API_KEY: z.string().optional().meta(embeddedSecret),
  /**
   * Sender (required with a mail server), e.g. Firm <hello@firm.example>, and the firm's recipients of visitors'
   * messages (default: ADMIN_EMAIL): one or several addresses, with or without names, e.g. Firm <office@firm.example>,
   * desk@firm.example.
   */
  MAIL_FROM: sender().optional().meta(embedded),
  CONTACT_TO: addressList().optional().meta(embedded),
  /**
   * The firm's mail about a contact message quotes it ("full"), or holds only its reference and a link ("notice"), so
   * that no visitor's words reach a mailbox. The privacy policy follows.
   */
  MAIL_CONTENT: z.enum(["full", "notice"], "must be full or notice").prefault(usualMailContent),
  /**
   * An https address that gets one POST when trouble begins and one when it is over, e.g. {"site":"firm.example",
   * "trouble":"disk-low","state":"lasts"}; also when no mail can be sent. With a hosted project, set it as a function
   * secret: the functions call it.
   */
  TROUBLE_URL: hookAddress().optional().meta(embeddedSecret),
  /**
   * An https address that gets a GET each quarter hour while the site is ready. Have it alert you when they stop: only
   * that covers a machine that is off.
   */
  HEARTBEAT_URL: hookAddress().optional().meta(secret),
};

const admins = {
  /**
   * The admin, created at the first start. Without a password (12 to 72 characters, no common one) one is generated and
   * printed once. A changed password takes effect at the next start and ends the admin's sessions. An unchanged setting
   * never replaces a password that was set later, for example with the command admin set-password.
   */
  ADMIN_EMAIL: emailAddress().optional().meta(embedded),
  ADMIN_PASSWORD: z
    .string()
    .min(minAdminPasswordLength, `must have at least ${minAdminPasswordLength} characters`)
    // bcrypt ignores bytes after the 72nd.
    .refine((password) => Buffer.byteLength(password) <= 72, "must have at most 72 bytes")
    .optional()
    .meta(embeddedSecret),
  /**
   * "required" demands a code from an authenticator app of every admin at sign-in; with "optional" each admin decides.
   * With "required", an admin needs a code to set it up: the command admin setup-code <email> prints one.
   */
  ADMIN_SECOND_FACTOR: z
    .enum(["optional", "required"], "must be optional or required")
    .prefault("optional")
    .meta(embedded),
  /**
   * Hours after which an admin must sign in again (1 to 720). With a hosted project only the site applies it; set the
   * limits of sessions in the project's dashboard, too.
   */
  ADMIN_SESSION_HOURS: wholeNumber(1, 720).prefault("24"),
  /** Hours without use after which an admin must sign in again (1 to 720). Without effect with a hosted project. */
  ADMIN_IDLE_HOURS: wholeNumber(1, 720).prefault("8").meta(embedded),
};

const data = {
  /** Holds database, secrets and, without a mail server, mails. One process at a time. */
  DATA_DIR: z.string().prefault("./data"),
  /**
   * The server backs itself up into DATA_DIR/backups when the newest backup is this old (6h, 1d, …), and before new
   * migrations. "off": never.
   */
  BACKUP_EVERY: interval().prefault("1d").meta(embedded),
  /**
   * Days after which backups are deleted (1 to 3650): those in DATA_DIR/backups, and folders that a restore replaced.
   * The privacy policy and the mail about an erasure quote it. With a hosted project, set it to as long as the project
   * keeps its own backups.
   */
  BACKUP_KEEP_DAYS: wholeNumber(backupDays.fewest, backupDays.most).prefault(String(backupDays.unlessSet)),
  ...backupVariables.shape,
};

const project = {
  /**
   * Set both for a hosted Supabase project: this process then holds no privileged key, and mail and admin settings
   * belong to the project's functions (docs/operations/hosted.md). It also needs a SESSION_SECRET.
   */
  SUPABASE_URL: webAddress(/^https?$/, "https://project.supabase.co")
    .optional()
    .meta(hosted),
  SUPABASE_PUBLISHABLE_KEY: z.string().optional().meta(hostedSecret),
  /**
   * A secret that signs this site's calls of the project's functions (openssl rand -hex 32). Set the same value as a
   * function secret. Empty: each function accepts 20 calls an hour, and views are not counted.
   */
  SITE_KEY: z
    .string()
    .min(minSiteKeyLength, `must have at least ${minSiteKeyLength} characters`)
    .optional()
    .meta(hostedSecret),
};

const rare = {
  /**
   * Signs cookies; 32 characters or more (openssl rand -hex 32). The embedded backend creates one in the data folder; a
   * hosted project requires it here.
   */
  SESSION_SECRET: z
    .string()
    .min(minSessionSecretLength, `must have at least ${minSessionSecretLength} characters`)
    .optional()
    .meta(secret),
  /**
   * With an https SITE_URL: "host" tells browsers to use https for this host for two years, "subdomains" for every name
   * below it as well. Choose "subdomains" only if all of them have https, because no setting reverses it.
   */
  HSTS: z.enum(["host", "subdomains"], "must be host or subdomains").prefault("host"),
  /** Writes a line to the log for each request, or with "off" for none. Warnings, errors and all other events stay. */
  LOG_REQUESTS: z.enum(["on", "off"], "must be on or off").prefault("on"),
  /**
   * The port of /metrics for Prometheus and of /readyz in parts; empty: none. They are for the operator only: keep the
   * address private (in a container METRICS_HOST=0.0.0.0, and do not publish the port).
   */
  METRICS_PORT: wholeNumber(1, 65535).optional(),
  METRICS_HOST: z.string().prefault("127.0.0.1"),
  /**
   * Seconds for which a process still accepts connections after SIGTERM, while /readyz returns 503. Behind a balancer,
   * set a little more than it takes to notice (5 to 15). Requests under way then get up to 10 seconds more.
   */
  DRAIN_SECONDS: wholeNumber(0, 300).prefault("0"),
  /**
   * Posts of each form that one client may send to one process in ten minutes. 0 turns off this and every other limit
   * per client, except those of signing in; use 0 for measuring only.
   */
  POST_RATE_LIMIT: wholeNumber(0, 1_000_000).prefault("20"),
  /**
   * Mails of each kind that visitors cause in an hour, all together: acknowledgements, links of requests, links of the
   * network. Above the limit links wait, and acknowledgements are not sent. 0 turns the limit off. With a hosted
   * project, set it as a function secret.
   */
  ACKNOWLEDGEMENTS_PER_HOUR: wholeNumber(0, 1_000_000).prefault(String(acknowledgementLimits.perHour)).meta(embedded),
  /**
   * Mails of letters to the investor network that the site sends in an hour. Stay below the limit of your mail
   * provider. With a hosted project, set it as a function secret.
   */
  NETWORK_MAILS_PER_HOUR: wholeNumber(1, 99_999).prefault(String(networkMailsPerHour)).meta(embedded),
  /**
   * Mail to another machine is always encrypted, by smtps:// or by smtp:// with STARTTLS, or it is not sent. The server's
   * certificate must be valid, unless SMTP_URL has ?tls.rejectUnauthorized=false. "off" sends everything in clear, the
   * password and account links included: only for a relay in the same container network. A mail server on this machine
   * needs no setting.
   */
  SMTP_TLS: z.enum(["required", "off"], "must be required or off").prefault("required").meta(embedded),
};

/** Sections of .env.example. */
export const sections = {
  "The site": site,
  Mail: mail,
  Admins: admins,
  "Data and backups": data,
  "Only with a hosted project": project,
  "Rarely needed": rare,
};

/**
 * Environment variables of the site. Their doc comments become .env.example (env-example.test.ts), so they are written for
 * operators. A setting without a comment belongs to the one before.
 */
export const variables = z.object({ ...site, ...mail, ...admins, ...data, ...project, ...rare });

/** Validated environment variables. */
export type Variables = z.output<typeof variables>;

/** Facts about a setting, apart from its rule. */
export interface AboutSetting {
  /** the backend that it applies to; undefined for both */
  only?: "embedded" | "hosted";
  isSecret?: boolean;
  /** default value as an operator writes it */
  unlessSet?: string;
}

/** Returns the facts about each setting, in the order of .env.example. */
export function listSettings(): [name: keyof Variables, AboutSetting][] {
  return Object.entries(variables.shape).map(([name, schema]) => {
    const unlessSet = schema instanceof z.ZodPrefault ? { unlessSet: String(schema.def.defaultValue) } : {};
    return [name as keyof Variables, { ...(schema as z.ZodType).meta(), ...unlessSet }];
  });
}
