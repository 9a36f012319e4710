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

describe("listSetupWarnings", () => {
  it("finds nothing on a local site, nor on a complete setup", () => {
    expect(warningsOf({})).toEqual([]);
    expect(warningsOf({ SITE_URL: "http://localhost:3000" })).toEqual([]);
    expect(warningsOf(complete)).toEqual([]);
    expect(warningsOf(hosted)).toEqual([]);
  });

  it("names the missing settings of a public site", () => {
    expect(warningsOf({ SITE_URL: "http://firm.example" })).toEqual([
      "setup.no-mail-server",
      "setup.no-admin-email",
      "setup.no-https",
    ]);
    expect(warningsOf({ ...complete, SMTP_URL: "" })).toEqual(["setup.no-mail-server"]);
    expect(warningsOf({ ...complete, SITE_URL: "http://192.0.2.7" })).toEqual(["setup.no-https"]);
    expect(warningsOf({ ...hosted, SITE_KEY: "" })).toEqual(["setup.no-site-key"]);
  });

  it("warns about unencrypted mail to a remote server", () => {
    const off = { ...complete, SMTP_TLS: "off" };
    expect(warningsOf({ ...off, SMTP_URL: "smtp://relay:25" })).toEqual(["setup.mail-in-clear"]);
    expect(warningsOf({ ...complete, SMTP_URL: "smtp://relay:25" })).toEqual([]);
    for (const host of ["127.0.0.1:25", "LOCALHOST", "[::1]:25"])
      expect(warningsOf({ ...off, SMTP_URL: `smtp://${host}` })).toEqual([]);
  });

  it("warns about an http project, unless it is on this machine", () => {
    expect(warningsOf({ ...hosted, SUPABASE_URL: "http://project.example" })).toEqual(["setup.backend-in-clear"]);
    expect(warningsOf({ ...hosted, SUPABASE_URL: "http://127.0.0.1:8000" })).toEqual([]);
  });

  it("names settings that a hosted project ignores, but no explicit defaults", () => {
    const ignored = { ...complete, ADMIN_PASSWORD: "a long password", AWS_REGION: "eu-central-1", BACKUP_EVERY: "1d" };
    const [warning] = listSetupWarnings(parseSettings({ ...ignored, ...hosted }));
    expect(warning?.event).toBe("setup.settings-ignored");
    expect(warning?.text).toMatch(/^SMTP_URL, MAIL_FROM, ADMIN_EMAIL, and ADMIN_PASSWORD have no effect here/);
  });

  it.each([
    ["TRUSTED_PROXY", "TRUSTED_PROXIES"],
    ["PROXIES", "TRUSTED_PROXIES"],
    ["SITE_ULR", "SITE_URL"],
    ["SMTP_URI", "SMTP_URL"],
    ["SMTP_PASS", "SMTP_PASSWORD"],
    ["ADMIN_MAIL", "ADMIN_EMAIL"],
    ["CONTACTTO", "CONTACT_TO"],
    ["BACKUP_KEEP", "BACKUP_KEEP_DAYS"],
    ["RESEND_KEY", "RESEND_API_KEY"],
    ["TIMEZONE", "TIME_ZONE"],
    ["site_url", "SITE_URL"],
    ["HOTS", "HOST"],
  ])("suggests for %s in the settings file %s", (name, meant) => {
    expect(unreadOf(name)).toBe(`${name} on line 1 of .env (${meant}?) is set but not used.`);
  });

  it("names all unknown variables of the file, except possible keys and variables of other programs", () => {
    expect(unreadOf("FOO", "COMPOSE_PROFILES", "SITE_VERSION", "NODE_OPTIONS", "TZ", "PORT", "q3JxaZ9k")).toBe(
      "FOO on line 1 of .env and a name on line 7 of .env are set but not used.",
    );
  });

  it("looks for unknown names in the file alone", () => {
    expect(warningsOf({ SITE_ULR: "x", SMTP_PASS: "x", TRUSTED_PROXY: "1" })).toEqual([]);
  });
});
