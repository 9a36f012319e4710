import { expect, it } from "vitest";
import { SettingsError, parseSettings } from "~/server/config/settings.server";
import { listSetupWarnings } from "~/server/config/setup-warnings.server";

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
const login = { SMTP_USER: "u", SMTP_PASSWORD: "secret-1" };
const hosted = {
  SUPABASE_URL: "https://p.supabase.co/",
  SUPABASE_PUBLISHABLE_KEY: "key",
  SESSION_SECRET: "s".repeat(32),
};

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
  [{ ADMIN_SESSION_HOURS: "12", ADMIN_IDLE_HOURS: "1" }, { sessionLimits: { maxSeconds: 43_200, idleSeconds: 3_600 } }],
  [{ BACKUP_KEEP_DAYS: "7" }, { backupKeepDays: 7 }],
  [{ MAIL_CONTENT: "notice" }, { mail: { content: "notice" } }],
  [{ HSTS: "subdomains" }, { hsts: "subdomains" }],
  // Compose files write variables that are not set as empty ones.
  [
    { SITE_URL: "", PORT: " ", SUPABASE_URL: "" },
    { port: 3000, siteUrlIsExplicit: false },
  ],
  [hosted, { backend: { kind: "hosted", url: "https://p.supabase.co", publishableKey: "key" } }],
  [{ CONTACT_TO: "Desk, West <a@b.org>\nc@b.org" }, { mail: { contactTo: "Desk, West <a@b.org>\nc@b.org" } }],
  [{ MAIL_FROM: "Firm, Inc. <a@b.org>" }, { mail: { from: "Firm, Inc. <a@b.org>" } }],
  [{ ADMIN_EMAIL: "Ada <Ada@München.example>" }, { backend: { adminEmail: "ada@xn--mnchen-3ya.example" } }],
  [{ SITE_URL: "https://firm.example/" }, { siteUrl: "https://firm.example", isHttps: true, siteUrlIsExplicit: true }],
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
  [{ ...mailServer, SMTP_URL: "http://mail" }, /^SMTP_URL must be an address/],
  [{ ...mailServer, RESEND_API_KEY: "re_1" }, /^SMTP_URL and RESEND_API_KEY are both set/],
  [{ SMTP_URL: "smtp://mail.example:25", CONTACT_TO: "a@b.example" }, /^MAIL_FROM is missing/],
  [{ RESEND_API_KEY: "re_1", MAIL_FROM: "a@b.example" }, /^CONTACT_TO is missing/],
  [{ MAIL_FROM: "a@firm.example, Firm <b@firm.example>" }, /^MAIL_FROM must be one email address/],
  [{ CONTACT_TO: "a@firm.example, desk" }, /^CONTACT_TO must be email addresses .* \(entry 2 of 2 is invalid\)$/],
  [{ CONTACT_TO: ";" }, /^CONTACT_TO must be email addresses/],
  [{ SITE_URL: '"https://firm.example"' }, /^SITE_URL is in quotation marks/],
  [{ ...mailServer, SMTP_URL: "smtps://u:pa/ss@mail.org" }, /^SMTP_URL cannot be parsed: .* SMTP_USER and SMTP_PASS/],
  // A strict URL parser would read "u" as the host of these.
  [{ ...mailServer, SMTP_URL: "smtps://u:12#ss@mail.example:465" }, /^SMTP_URL cannot be parsed/],
  [{ ...mailServer, SMTP_URL: "mail.example:465" }, /^SMTP_URL must be an address like smtps:/],
  [{ ...mailServer, SMTP_USER: "u" }, /^SMTP_PASSWORD is missing/],
  [{ ...mailServer, SMTP_PASSWORD: "secret-1" }, /^SMTP_USER is missing/],
  [{ ...mailServer, SMTP_TLS: "off" }, /^SMTP_TLS is off, and SMTP_URL begins with smtps:/],
  [{ ...mailServer, SMTP_TLS: "no" }, /^SMTP_TLS must be required or off/],
  [{ BACKUP_RECIPIENT: `age1${"q".repeat(58)}` }, /^BACKUP_SIGNING_KEY is missing/],
  [{ BACKUP_SIGNING_KEY: `backup-sign-${"a".repeat(43)}` }, /^BACKUP_RECIPIENT is missing/],
  [login, /^SMTP_URL is missing/],
  [
    { ...mailServer, ...login, SMTP_URL: "smtps://u:secret-1@mail.example" },
    /^SMTP_URL contains a user, and SMTP_USER is set/,
  ],
  [{ METRICS_PORT: "3000" }, /^METRICS_PORT must differ from PORT/],
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

it("lists all mistakes together", () => {
  expect(mistakesOf({ PORT: "x", SITE_URL: "y", SUPABASE_URL: "z" })).toHaveLength(4);
});

const publicSite = { SITE_URL: "https://firm.example", TRUSTED_PROXIES: "1" };
const complete = { ...publicSite, ...mailServer, ADMIN_EMAIL: "ada@firm.example" };
const hostedSite = { ...hosted, ...publicSite, SITE_KEY: "k".repeat(32) };

function warningsOf(environment: Record<string, string>): string[] {
  return listSetupWarnings(parseSettings(environment)).map(({ event }) => event);
}

/** Returns the warning about a settings file with these names, one on each line. */
function unreadOf(...names: string[]): string | undefined {
  const about = { isOverridden: false, openFile: null };
  const inFile = names.map((name, at) => ({ name, place: `line ${at + 1} of .env`, ...about }));
  const warnings = listSetupWarnings(parseSettings({}, inFile));
  return warnings.find(({ event }) => event === "setup.settings-unread")?.text;
}

const unchecked = "tls%2ErejectUnauthorized=false";
const off = { ...complete, SMTP_TLS: "off" };

it.each<[string, Record<string, string>, string[]]>([
  ["a site for this machine", {}, []],
  ["a site at a local address", { SITE_URL: "http://localhost:3000" }, []],
  ["a complete site", complete, []],
  ["a complete site of a hosted project", hostedSite, []],
  ["a public site alone", { SITE_URL: "http://firm.example" }, ["no-mail-server", "no-admin-email", "no-https"]],
  ["no mail server", { ...complete, SMTP_URL: "" }, ["no-mail-server"]],
  ["a public IP address on http", { ...complete, SITE_URL: "http://192.0.2.7" }, ["no-https"]],
  // This server speaks no TLS itself.
  ["https without a trusted proxy", { ...complete, TRUSTED_PROXIES: "" }, ["forwarded-for-ignored"]],
  ["http with no trusted proxy", { ...complete, SITE_URL: "http://firm.example", TRUSTED_PROXIES: "" }, ["no-https"]],
  ["no site key", { ...hostedSite, SITE_KEY: "" }, ["no-site-key"]],
  ["unencrypted mail to another machine", { ...off, SMTP_URL: "smtp://relay:25" }, ["mail-in-clear"]],
  ["mail that must be encrypted", { ...complete, SMTP_URL: "smtp://relay:25" }, []],
  ["unencrypted mail within this machine", { ...off, SMTP_URL: "smtp://127.0.0.1:25" }, []],
  ["unencrypted mail to localhost", { ...off, SMTP_URL: "smtp://LOCALHOST" }, []],
  ["unencrypted mail within this machine on IPv6", { ...off, SMTP_URL: "smtp://[::1]:25" }, []],
  ["mail to any machine", { ...complete, SMTP_URL: `smtps://relay?${unchecked}` }, ["mail-unverified"]],
  ["mail to any machine within this one", { ...complete, SMTP_URL: `smtp://127.0.0.1?${unchecked}` }, []],
  ["a project on http", { ...hostedSite, SUPABASE_URL: "http://project.example" }, ["backend-in-clear"]],
  ["a project on this machine", { ...hostedSite, SUPABASE_URL: "http://127.0.0.1:8000" }, []],
  // Other programs read the environment, too.
  ["unknown names in the environment", { SITE_ULR: "x", SMTP_PASS: "x", TRUSTED_PROXY: "1" }, []],
])("warns of %s", (_case, environment, events) => {
  expect(warningsOf(environment)).toEqual(events.map((event) => `setup.${event}`));
});

it("reports settings that a hosted project ignores, except defaults", () => {
  const ignored = { ...complete, ADMIN_PASSWORD: "a long password", AWS_REGION: "eu-central-1", BACKUP_EVERY: "1d" };
  const [warning] = listSetupWarnings(parseSettings({ ...ignored, ...hostedSite }));
  expect(warning?.event).toBe("setup.settings-ignored");
  expect(warning?.text).toMatch(
    /^SMTP_URL, MAIL_FROM, CONTACT_TO, ADMIN_EMAIL, and ADMIN_PASSWORD have no effect here/,
  );
});

it("reports unknown names of settings, except possible keys and variables of other programs", () => {
  expect(unreadOf("FOO", "COMPOSE_PROFILES", "SITE_VERSION", "NODE_OPTIONS", "TZ", "PORT", "q3JxaZ9k")).toBe(
    "FOO on line 1 of .env and a name on line 7 of .env are set but not used.",
  );
});
