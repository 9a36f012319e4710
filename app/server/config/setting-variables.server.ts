import { z } from "zod";
import { networkMailsPerHour } from "#supabase/functions/_shared/network-fields";
import { acknowledgementLimits } from "~/content/facts";
import { backupDays, backupVariables } from "~/lib/backup-settings";
import { isTimeZone, replyDays } from "~/lib/reply-promise";
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

/** Environment variables of the site, with rules and defaults (.env.example explains each). */
export const variables = z.object({
  PORT: wholeNumber(0, 65535).default(3000),
  HOST: z.string().default("127.0.0.1"),
  SITE_URL: webAddress(/^https?$/, "https://firm.example")
    .refine((url) => isOrigin(url), "must be an origin only, like https://firm.example, without a path")
    .optional(),
  DATA_DIR: z.string().default("./data"),
  // Read when the modules load (content/firm/facts-file.server.ts), because pages are built from the facts.
  SITE_FACTS: z.string().optional(),
  BACKUP_EVERY: interval().default(24 * 60 * 60 * 1000),
  BACKUP_KEEP_DAYS: wholeNumber(backupDays.fewest, backupDays.most).default(backupDays.unlessSet),
  ...backupVariables.shape,
  SUPABASE_URL: webAddress(/^https?$/, "https://project.supabase.co").optional(),
  SUPABASE_PUBLISHABLE_KEY: z.string().optional(),
  SUPABASE_ANON_KEY: z.string().optional(),
  SESSION_SECRET: z
    .string()
    .min(minSessionSecretLength, `must have at least ${minSessionSecretLength} characters`)
    .optional(),
  ADMIN_EMAIL: emailAddress().optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(minAdminPasswordLength, `must have at least ${minAdminPasswordLength} characters`)
    // bcrypt ignores bytes after the 72nd.
    .refine((password) => Buffer.byteLength(password) <= 72, "must have at most 72 bytes")
    .optional(),
  ADMIN_SECOND_FACTOR: z.enum(["optional", "required"], "must be optional or required").default("optional"),
  ADMIN_SESSION_HOURS: wholeNumber(1, 720).default(24),
  ADMIN_IDLE_HOURS: wholeNumber(1, 720).default(8),
  SMTP_URL: mailServerAddress("smtps://user:password@mail.firm.example:465").optional(),
  SMTP_USER: z.string().optional(),
  SMTP_PASSWORD: z.string().optional(),
  SMTP_TLS: z.enum(["required", "off"], "must be required or off").default("required"),
  RESEND_API_KEY: z.string().optional(),
  MAIL_FROM: sender().optional(),
  CONTACT_TO: addressList().optional(),
  MAIL_CONTENT: z.enum(["full", "notice"], "must be full or notice").default("full"),
  REPLY_DAYS: z.enum(replyDays, "must be all or business").default("all"),
  TIME_ZONE: z.string().refine(isTimeZone, "must be the name of a time zone, like Europe/Berlin").default("UTC"),
  HSTS: z.enum(["host", "subdomains"], "must be host or subdomains").default("host"),
  TRUSTED_PROXIES: wholeNumber(0, 10).default(0),
  POST_RATE_LIMIT: wholeNumber(0, 1_000_000).default(20),
  RENDERS_AT_ONCE: wholeNumber(1, 1_000).default(16),
  ACKNOWLEDGEMENTS_PER_HOUR: wholeNumber(0, 1_000_000).default(acknowledgementLimits.perHour),
  NETWORK_MAILS_PER_HOUR: wholeNumber(1, 99_999).default(networkMailsPerHour),
  GA_MEASUREMENT_ID: z
    .string()
    .regex(/^G-[A-Z0-9]{4,20}$/, "must look like G-ABC123DEF4")
    .optional(),
  CONSENT_BANNER: z.enum(["always", "when-needed"], "must be always or when-needed").default("always"),
  SITE_KEY: z.string().min(minSiteKeyLength, `must have at least ${minSiteKeyLength} characters`).optional(),
  LOG_REQUESTS: z.enum(["on", "off"], "must be on or off").default("on"),
  METRICS_PORT: wholeNumber(1, 65535).optional(),
  METRICS_HOST: z.string().default("127.0.0.1"),
  DRAIN_SECONDS: wholeNumber(0, 300).default(0),
  TROUBLE_URL: hookAddress().optional(),
  HEARTBEAT_URL: hookAddress().optional(),
});

/** Validated environment variables. */
export type Variables = z.output<typeof variables>;
