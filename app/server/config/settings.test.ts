import { describe, expect, it } from "vitest";
import { SettingsError, parseSettings } from "~/server/config/settings.server";

function mistakesOf(environment: Record<string, string>): string[] {
  try {
    parseSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes;
    throw error;
  }
  return [];
}

const mailServer = { SMTP_URL: "smtps://mail.example:465", MAIL_FROM: "a@firm.example", CONTACT_TO: "a@firm.example" };
const hosted = { SUPABASE_URL: "https://p.supabase.co/", SESSION_SECRET: "s".repeat(32) };

describe("parseSettings", () => {
  it("defaults to the embedded backend, this machine only, and mail as files", () => {
    const settings = parseSettings({ PATH: "/bin" });
    expect(settings).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      dataDir: "./data",
      siteUrl: "http://localhost:3000",
      siteUrlIsExplicit: false,
      isHttps: false,
      backend: { kind: "embedded" },
      trustedProxies: 0,
      postRateLimit: 20,
      acknowledgementsPerHour: 60,
      networkMailsPerHour: 200,
      sessionLimits: { maxSeconds: 86_400, idleSeconds: 28_800 },
      backupKeepDays: 30,
      hsts: "host",
      mail: { content: "full" },
    });
    expect(settings.mail.smtpUrl).toBeUndefined();
  });

  it.each<[Record<string, string>, object]>([
    [
      { ADMIN_SESSION_HOURS: "12", ADMIN_IDLE_HOURS: "1" },
      { sessionLimits: { maxSeconds: 43_200, idleSeconds: 3_600 } },
    ],
    [
      { BACKUP_KEEP_DAYS: "7", MAIL_CONTENT: "notice" },
      { backupKeepDays: 7, mail: { content: "notice" } },
    ],
    [{ HSTS: "subdomains" }, { hsts: "subdomains" }],
    // Compose files write variables that are not set as empty ones.
    [
      { SITE_URL: "", PORT: " ", SUPABASE_URL: "" },
      { port: 3000, siteUrlIsExplicit: false },
    ],
    [
      { ...hosted, SUPABASE_PUBLISHABLE_KEY: "key" },
      { backend: { kind: "hosted", url: "https://p.supabase.co", publishableKey: "key" } },
    ],
    [{ ADMIN_EMAIL: "Ada <Ada@München.example>" }, { backend: { adminEmail: "ada@xn--mnchen-3ya.example" } }],
    [
      { SITE_URL: "https://firm.example/" },
      { siteUrl: "https://firm.example", isHttps: true, siteUrlIsExplicit: true },
    ],
  ])("reads %j as %j", (environment, expected) => {
    expect(parseSettings(environment)).toMatchObject(expected);
  });

  it.each([
    [{ PORT: "65536" }, /^PORT must be a whole number/],
    [{ ADMIN_SESSION_HOURS: "0" }, /^ADMIN_SESSION_HOURS must be a whole number from 1 to 720/],
    [{ ADMIN_IDLE_HOURS: "8h" }, /^ADMIN_IDLE_HOURS must be a whole number from 1 to 720/],
    [{ AWS_ENDPOINT_URL: "http://s3.example" }, /^AWS_ENDPOINT_URL must be an address that begins with https:/],
    [{ AWS_ENDPOINT_URL: "ftp://127.0.0.1" }, /^AWS_ENDPOINT_URL must be an address that begins with https:/],
    [{ BACKUP_KEEP_DAYS: "0" }, /^BACKUP_KEEP_DAYS must be a whole number from 1 to 3650$/],
    [{ MAIL_CONTENT: "some" }, /^MAIL_CONTENT must be full or notice$/],
    [{ GA_MEASUREMENT_ID: "UA-12345-1" }, /^GA_MEASUREMENT_ID/],
    [{ SITE_URL: "firm.example" }, /^SITE_URL must be an address/],
    [{ SITE_URL: "https://firm.example/path" }, /^SITE_URL must be an origin only/],
    [{ SITE_URL: "https://user:pw@firm.example" }, /^SITE_URL must be an origin only/],
    [{ SESSION_SECRET: "short" }, /^SESSION_SECRET must have at least 32/],
    [{ ADMIN_EMAIL: "ada@firm" }, /^ADMIN_EMAIL must be an email address$/],
    [{ ADMIN_PASSWORD: "short" }, /^ADMIN_PASSWORD must have at least 12/],
    [{ ADMIN_PASSWORD: "ä".repeat(40) }, /^ADMIN_PASSWORD must have at most 72 bytes/],
    [{ SMTP_URL: "http://mail", MAIL_FROM: "a@b.example", CONTACT_TO: "a@b.example" }, /^SMTP_URL must be an address/],
    [
      { SMTP_URL: "smtp://m.example", RESEND_API_KEY: "re_1", MAIL_FROM: "a@b.example", CONTACT_TO: "a@b.example" },
      /^SMTP_URL and RESEND_API_KEY are both set/,
    ],
    [{ SMTP_URL: "smtp://mail.example:25", CONTACT_TO: "a@b.example" }, /^MAIL_FROM is missing/],
    [{ RESEND_API_KEY: "re_1", MAIL_FROM: "a@b.example" }, /^CONTACT_TO is missing/],
    [{ MAIL_FROM: "firm" }, /^MAIL_FROM must be one email address/],
    [{ MAIL_FROM: "a@firm.example, Firm <b@firm.example>" }, /^MAIL_FROM must be one email address/],
    [{ CONTACT_TO: "a@firm.example, desk" }, /^CONTACT_TO must be email addresses .* \(entry 2 of 2 is invalid\)$/],
    [{ CONTACT_TO: ";" }, /^CONTACT_TO must be email addresses/],
    [{ SITE_URL: "https://firm.example;" }, /^SITE_URL must be an origin only/],
    [{ SITE_URL: '"https://firm.example"' }, /^SITE_URL is in quotation marks/],
    [
      { ...mailServer, SMTP_URL: "smtps://u:pa/ss@mail.example:465" },
      /^SMTP_URL cannot be parsed: .* SMTP_USER and SMTP_PASS/,
    ],
    // A strict URL parser would read "u" as the host of these.
    [{ ...mailServer, SMTP_URL: "smtps://u:12#ss@mail.example:465" }, /^SMTP_URL cannot be parsed/],
    [{ ...mailServer, SMTP_URL: "mail.example:465" }, /^SMTP_URL must be an address like smtps:/],
    [{ ...mailServer, SMTP_USER: "u" }, /^SMTP_PASSWORD is missing/],
    [{ ...mailServer, SMTP_PASSWORD: "secret-1" }, /^SMTP_USER is missing/],
    [{ ...mailServer, SMTP_TLS: "off" }, /^SMTP_TLS is off, and SMTP_URL begins with smtps:/],
    [{ ...mailServer, SMTP_TLS: "no" }, /^SMTP_TLS must be required or off/],
    [{ BACKUP_RECIPIENT: `age1${"q".repeat(58)}` }, /^BACKUP_SIGNING_KEY is missing/],
    [{ BACKUP_SIGNING_KEY: `backup-sign-${"a".repeat(43)}` }, /^BACKUP_RECIPIENT is missing/],
    [{ SMTP_USER: "u", SMTP_PASSWORD: "secret-1" }, /^SMTP_URL is missing/],
    [
      { ...mailServer, SMTP_URL: "smtps://u:secret-1@mail.example", SMTP_USER: "u", SMTP_PASSWORD: "secret-1" },
      /^SMTP_URL contains a user, and SMTP_USER is set/,
    ],
    [{ METRICS_PORT: "3000" }, /^METRICS_PORT must differ from PORT/],
    [{ POST_RATE_LIMIT: "1.5" }, /^POST_RATE_LIMIT must be a whole number/],
    [{ TIME_ZONE: "CET" }, /^TIME_ZONE must be the name of a time zone, like Europe\/Berlin/],
    [{ TIME_ZONE: "Nowhere/Land" }, /^TIME_ZONE must be the name of a time zone/],
    [{ SUPABASE_URL: "https://p.supabase.co" }, /^SUPABASE_PUBLISHABLE_KEY is missing/],
    [{ SUPABASE_PUBLISHABLE_KEY: "k" }, /^SUPABASE_URL is missing/],
    [{ SUPABASE_URL: "https://p.supabase.co", SUPABASE_PUBLISHABLE_KEY: "k" }, /^SESSION_SECRET is missing/],
    [{ SUPABASE_URL: "https://p.supabase.co", SUPABASE_ANON_KEY: "k" }, /^SUPABASE_ANON_KEY is no longer read: set/],
  ] as [Record<string, string>, RegExp][])("explains the mistake in %j", (environment, expected) => {
    const mistakes = mistakesOf(environment);
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(expected);
    expect(mistakes[0]).not.toMatch(/ss@|secret-1/);
  });

  it.each(["100%", "pa+ss", "p@ss", "pa%zz", "pa:ss"])("accepts the password %s in SMTP_URL", (password) => {
    const smtpUrl = `smtps://u:${password}@mail.example:465`;
    expect(parseSettings({ ...mailServer, SMTP_URL: smtpUrl }).mail.smtpUrl).toBe(smtpUrl);
  });

  it("accepts any SMTP_PASSWORD and keeps its trailing space", () => {
    const password = "\"/#?@%41 '” ";
    const { mail } = parseSettings({ ...mailServer, SMTP_USER: "u@firm.example", SMTP_PASSWORD: password });
    expect(mail).toMatchObject({ smtpUser: "u@firm.example", smtpPassword: password });
  });

  it("accepts several addresses of the firm, with names", () => {
    const contactTo = "Firm <a@firm.example>; Desk, West <b@firm.example>\nc@firm.example";
    expect(parseSettings({ CONTACT_TO: contactTo }).mail.contactTo).toBe(contactTo);
    expect(parseSettings({ MAIL_FROM: "Firm, Inc. <a@firm.example>" }).mail.from).toBe("Firm, Inc. <a@firm.example>");
  });

  it("lists all mistakes together", () => {
    expect(mistakesOf({ PORT: "x", SITE_URL: "y", SUPABASE_URL: "z" })).toHaveLength(4);
  });
});
