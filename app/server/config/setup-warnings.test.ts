import { describe, expect, it } from "vitest";
import { parseSettings } from "~/server/config/settings.server";
import { listSetupWarnings } from "~/server/config/setup-warnings.server";

const complete = {
  SITE_URL: "https://firm.example",
  TRUSTED_PROXIES: "1",
  ADMIN_EMAIL: "ada@firm.example",
  SMTP_URL: "smtps://mail.example:465",
  MAIL_FROM: "a@firm.example",
};
const hosted = {
  SITE_URL: "https://firm.example",
  TRUSTED_PROXIES: "1",
  SUPABASE_URL: "https://p.supabase.co",
  SUPABASE_PUBLISHABLE_KEY: "k",
  SESSION_SECRET: "s".repeat(32),
  SITE_KEY: "k".repeat(32),
};

function warningsOf(environment: Record<string, string>): string[] {
  return listSetupWarnings(parseSettings(environment)).map(({ event }) => event);
}

/** Returns the warning about a settings file with these names, one on each line. */
function unreadOf(...names: string[]): string | undefined {
  const inFile = names.map((name, at) => ({
    name,
    place: `line ${at + 1} of .env`,
    isOverridden: false,
    openFile: null,
  }));
  const warnings = listSetupWarnings(parseSettings({}, inFile));
  return warnings.find(({ event }) => event === "setup.settings-unread")?.text;
}

const unchecked = "tls%2ErejectUnauthorized=false";
const off = { ...complete, SMTP_TLS: "off" };

it.each<[string, Record<string, string>, string[]]>([
  ["a site for this machine", {}, []],
  ["a site at a local address", { SITE_URL: "http://localhost:3000" }, []],
  ["a complete site", complete, []],
  ["a complete site of a hosted project", hosted, []],
  ["a public site alone", { SITE_URL: "http://firm.example" }, ["no-mail-server", "no-admin-email", "no-https"]],
  ["no mail server", { ...complete, SMTP_URL: "" }, ["no-mail-server"]],
  ["a public IP address on http", { ...complete, SITE_URL: "http://192.0.2.7" }, ["no-https"]],
  // This server speaks no TLS itself.
  ["https without a trusted proxy", { ...complete, TRUSTED_PROXIES: "" }, ["forwarded-for-ignored"]],
  ["http with no trusted proxy", { ...complete, SITE_URL: "http://firm.example", TRUSTED_PROXIES: "" }, ["no-https"]],
  ["no site key", { ...hosted, SITE_KEY: "" }, ["no-site-key"]],
  ["unencrypted mail to another machine", { ...off, SMTP_URL: "smtp://relay:25" }, ["mail-in-clear"]],
  ["mail that must be encrypted", { ...complete, SMTP_URL: "smtp://relay:25" }, []],
  ["unencrypted mail within this machine", { ...off, SMTP_URL: "smtp://127.0.0.1:25" }, []],
  ["unencrypted mail to localhost", { ...off, SMTP_URL: "smtp://LOCALHOST" }, []],
  ["unencrypted mail within this machine on IPv6", { ...off, SMTP_URL: "smtp://[::1]:25" }, []],
  ["mail to any machine", { ...complete, SMTP_URL: `smtps://relay?${unchecked}` }, ["mail-unverified"]],
  ["mail to any machine within this one", { ...complete, SMTP_URL: `smtp://127.0.0.1?${unchecked}` }, []],
  ["a project on http", { ...hosted, SUPABASE_URL: "http://project.example" }, ["backend-in-clear"]],
  ["a project on this machine", { ...hosted, SUPABASE_URL: "http://127.0.0.1:8000" }, []],
  // Other programs read the environment, too.
  ["unknown names in the environment", { SITE_ULR: "x", SMTP_PASS: "x", TRUSTED_PROXY: "1" }, []],
])("warns of %s", (_case, environment, events) => {
  expect(warningsOf(environment)).toEqual(events.map((event) => `setup.${event}`));
});

describe("the names of settings", () => {
  it("are reported when a hosted project ignores them, except defaults", () => {
    const ignored = { ...complete, ADMIN_PASSWORD: "a long password", AWS_REGION: "eu-central-1", BACKUP_EVERY: "1d" };
    const [warning] = listSetupWarnings(parseSettings({ ...ignored, ...hosted }));
    expect(warning?.event).toBe("setup.settings-ignored");
    expect(warning?.text).toMatch(/^SMTP_URL, MAIL_FROM, ADMIN_EMAIL, and ADMIN_PASSWORD have no effect here/);
  });

  it("are reported when unknown, except possible keys and variables of other programs", () => {
    expect(unreadOf("FOO", "COMPOSE_PROFILES", "SITE_VERSION", "NODE_OPTIONS", "TZ", "PORT", "q3JxaZ9k")).toBe(
      "FOO on line 1 of .env and a name on line 7 of .env are set but not used.",
    );
  });
});
