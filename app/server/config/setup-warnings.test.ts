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

function warningsOf(environment: Record<string, string>, namesInFile: string[] = []): string[] {
  return listSetupWarnings(parseSettings(environment, namesInFile)).map(({ event }) => event);
}

function unreadOf(environment: Record<string, string>, namesInFile: string[] = []): string | undefined {
  const warnings = listSetupWarnings(parseSettings(environment, namesInFile));
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
    expect(warning?.text).toMatch(/^ADMIN_EMAIL, ADMIN_PASSWORD, SMTP_URL, and MAIL_FROM have no effect here/);
  });

  it.each([
    ["TRUSTED_PROXY", "TRUSTED_PROXIES"],
    ["SITE_ULR", "SITE_URL"],
    ["SMTP_URI", "SMTP_URL"],
    ["ADMIN_MAIL", "ADMIN_EMAIL"],
    ["CONTACTTO", "CONTACT_TO"],
    ["site_url", "SITE_URL"],
  ])("suggests for %s, in .env or elsewhere, %s", (name, meant) => {
    expect(unreadOf({ [name]: "x" })).toBe(`${name} (${meant}?) is set but not used.`);
    expect(unreadOf({ [name]: "x" }, [name])).toBe(`${name} (${meant}?) is set but not used.`);
  });

  it("names all unknown variables of .env, except possible keys and variables of other programs", () => {
    expect(
      unreadOf({}, [
        "SMTP_PASS",
        "RESEND_KEY",
        "FOO",
        "COMPOSE_PROFILES",
        "SITE_VERSION",
        "NODE_OPTIONS",
        "TZ",
        "PORT",
      ]),
    ).toBe("SMTP_PASS (SMTP_PASSWORD?), RESEND_KEY (RESEND_API_KEY?), and FOO are set but not used.");
    expect(unreadOf({}, ["q3JxaZ9k"])).toBe("one more name in .env is set but not used.");
  });

  it("ignores variables of other programs in the environment", () => {
    const others =
      "PATH HOME HOST_NAME HOSTNAME HOSTTYPE MAIL MAILCHECK PORTS POST PWD LOGNAME LC_ALL TZ SITE_ID SITE_PORT SITE_SERVICE_HOST " +
      "METRICS_PATH BASE_URL HTTP_URL LIVE_URL SMTP_HOST AWS_PROFILE AWS_SESSION_TOKEN XDG_DATA_DIRS SESSION_MANAGER FOO";
    expect(unreadOf(Object.fromEntries(others.split(" ").map((name) => [name, "x"])))).toBeUndefined();
  });
});
