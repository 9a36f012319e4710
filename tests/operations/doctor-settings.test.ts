import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { openControl } from "#supabase/embedded/control";
import { lockFolder } from "#supabase/embedded/folder/lock";
import { siteVersion } from "~/lib/site-version";
import { type ServerStatus, readStatus } from "~/server/backend/embedded/read-status.server";
import { listSettings } from "~/server/config/setting-variables.server";
import { startEmbeddedTestBackend } from "../database/support/embedded-backend";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { diagnose, printed, problemsOf, resolveAt, supplyFacts } from "./support/doctor";
import { canBeRefused, makeForeignFolder, runSite } from "./support/run-site";

/** Settings of a site that was never started. */
let sound: Record<string, string>;
beforeAll(async () => {
  sound = {
    SITE_FACTS: await supplyFacts(),
    DATA_DIR: join(await makeDataDir(), "data"),
    PORT: "0",
    SITE_URL: "https://firm.example",
    TRUSTED_PROXIES: "1",
    ADMIN_EMAIL: "admin@firm.example",
    RESEND_API_KEY: "re_test",
    MAIL_FROM: "hello@firm.example",
  };
});

it("finds nothing to do before the first start", async () => {
  expect(problemsOf(await diagnose(sound, { resolver: resolveAt() }))).toEqual([]);
});

it.each<[line: string, changes: Record<string, string>]>([
  ["fix settings: No mail server … See …mail.md", { RESEND_API_KEY: "" }],
  ["fix settings: MAIL_FROM must be one email address, like ", { MAIL_FROM: "firm" }],
  ["look at settings: SITE_URL begins with http://", { SITE_URL: "http://firm.example" }],
  ["look at settings: A start refuses ADMIN_PASSWORD … Use a password manager", { ADMIN_PASSWORD: "password1234" }],
])("prints “%s” alone", async (line, changes) => {
  const problems = problemsOf(await diagnose({ ...sound, ...changes }, { resolver: resolveAt() }));
  expect(problems).toHaveLength(1);
  expect(problems).toEqual(printed(line));
});

it.each<[what: string, settings: Record<string, string>, envFile: string, code: number, line: RegExp]>([
  [
    "that no site is here",
    { PORT: "9", DATA_DIR: "" },
    "",
    1,
    /^look at +site: DATA_DIR is not set, .*\/data does not exist, and no server runs\. Set DATA_DIR .*\n$/,
  ],
  ["a line that it cannot read", {}, "SITE_URL\nPORT=0\n", 2, /^fix +settings: line 1 .* Correct the file \.env\.$/m],
  [
    "the source of each value",
    { PORT: "none" },
    "DATA_DIR=x\nHSTS=all\nPORT=0\n",
    2,
    /^fix +settings: the environment: PORT must be .*\n.*: line 2 of \.env: HSTS must be .*\n(?:not checked .*)\n/m,
  ],
])("says %s", async (_what, settings, envFile, code, line) => {
  const result = await runSite(["doctor"], { settings: { DATA_DIR: await makeDataDir(), ...settings }, envFile });
  expect(result).toEqual({ code, out: expect.stringMatching(line), err: "" });
});

it("names unknown settings, two values and readable secrets, and no value", async () => {
  const settings = { DATA_DIR: await makeDataDir(), PORT: "0", BACKUP_EVERY: "off", SMTP_PASS: "x" };
  const secret = "SESSION_SECRET=secret-3-of-thirty-two-characters";
  const envFile = `FIRM_COLOR=blue\nSMTP_PASS=secret-1\nDATA_DIR=secret-2\nPORT=0\nBACKUP_EVERY=\n${secret}\n`;
  const { code, out } = await runSite(["doctor"], { settings, envFile });
  expect(code).toBe(1);
  expect(out.split("\n").filter((line) => / settings: /.test(line))).toEqual([
    expect.stringMatching(/FIRM_COLOR on line 1 of \.env and SMTP_PASS on line 2 of \.env are set/),
    expect.stringMatching(/^look at .* SMTP_PASS has another value in the environment, which wins over line 2/),
    expect.stringMatching(
      /^look at .* DATA_DIR has another value in the environment, which wins over line 3 of \.env\./,
    ),
    expect.stringMatching(/^look at .* may read \.env, which holds SESSION_SECRET\. Run `chmod o-r \.env`/),
  ]);
  expect(out).not.toContain("secret-");
});

it("names mistakes in the facts", async () => {
  const DATA_DIR = await makeDataDir();
  await writeFile(join(DATA_DIR, "facts.yaml"), "nmae: Firm One\nemail: nobody\n");
  const { code, out } = await runSite(["doctor"], { settings: { DATA_DIR, PORT: "0" } });
  expect(out.match(/^fix +facts: .*facts\.example\.yaml.*$/gm)).toHaveLength(2);
  expect(code).toBe(2);
});

const unreadable =
  /^fix +data folder: .*\/foreign cannot be read and written \(EACCES\)\. (?:Root owns it: .*chown -R|Let this user use it with .chmod) .*DATA_DIR/m;

it.skipIf(!canBeRefused).each<[more: Record<string, string>, place: string, code: number, line: RegExp]>([
  [{}, "", 2, unreadable],
  [{}, "/data", 2, /^fix +data folder: .*\/data does not exist, and this user cannot create it \(EACCES\)\. /m],
  [{ SITE_COMMAND: "site" }, "/data", 0, /^not checked +data folder: .*systemctl start site\.$/m],
])("with %j, says what to do in a folder%s of another user", async (more, place, code, line) => {
  const settings = { PORT: "0", DATA_DIR: (await makeForeignFolder(0o755)) + place, ...more };
  const result = await runSite(["doctor"], { settings, asNobody: true });
  expect(result).toMatchObject({ code, out: expect.stringMatching(line) });
});

it("prints each setting and its source with `settings`, and no secret", async () => {
  const envFile = [
    "SITE_URL=https://firm.example # ours",
    "SMTP_URL=smtps://ada:secret-1@mail.example:465",
    "MAIL_FROM='Firm <hello@firm.example>'",
    "AWS_ENDPOINT_URL=https://key:secret-2@s3.example",
    "ADMIN_PASSWORD='secret-3 of an admin'",
    "PORT=8080",
    "SESSION_SECRETS=secret-4",
  ];
  const settings = { PORT: "0", CONTACT_TO: "desk@firm.example", TIME_ZONE: "" };
  const { code, out, err } = await runSite(["settings"], { settings, envFile: envFile.join("\r\n") });
  expect([code, err]).toEqual([0, ""]);
  expect(out.split("\n").map((line) => line.replaceAll(/ {2,}/g, "|"))).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Version \d/),
      "SITE_URL|https://firm.example|line 1 of .env",
      "PORT|0|environment, which wins over line 6 of .env",
      "TIME_ZONE|UTC|default",
      "SMTP_URL|smtps://…@mail.example:465|line 2 of .env",
      "SMTP_USER|not set",
      "CONTACT_TO|desk@firm.example|environment",
      "ADMIN_PASSWORD|set|line 5 of .env",
      "AWS_ENDPOINT_URL|https://…@s3.example|line 4 of .env",
      "SESSION_SECRETS on line 7 of .env is set but not used.",
    ]),
  );
  expect(out).not.toMatch(/secret-|SUPABASE/);
});

it("prints only the mistakes with `settings` if a start would refuse them", async () => {
  const { code, out, err } = await runSite(["settings"], { envFile: "SMTP_USER=secret-1\nTRUSTED_PROXIES=secret-2\n" });
  expect([code, out]).toEqual([1, ""]);
  expect(err.split("\n").slice(1)).toEqual([
    expect.stringMatching(/^- line 2 of \.env: TRUSTED_PROXIES must be a whole number/),
    expect.stringMatching(/^- SMTP_URL is missing/),
    expect.stringMatching(/^- SMTP_PASSWORD is missing/),
    "",
  ]);
  expect(err).not.toContain("secret-");
});

it("counts each key and password as a secret", () => {
  const open = listSettings().filter(([name, { isSecret }]) => /PASS|SECRET|KEY|TOKEN/.test(name) && !isSecret);
  expect(open).toEqual([]);
});

/** Runs the command in a data folder. */
const look = async (dataDir: string) => diagnose({ DATA_DIR: dataDir, PORT: "9" }, { resolver: resolveAt() });

it("leaves the database of a stopped site to the start, and names a clock behind the newest backup", async () => {
  const dataDir = await makeSiteFolder();
  await mkdir(join(dataDir, "backups"));
  await writeFile(join(dataDir, "backups/backup-2099-01-01T00-00-00-000Z.tar.gz"), "");
  expect(await look(dataDir)).toEqual(
    printed(
      "not checked server: …Start it",
      "not checked database: …a start says what is wrong…Start it",
      "look at clock: …made a backup or its first start at 2099-01-01T00:00:00.000Z…set it: …“A clock that jumps”",
    ),
  );
});

const refuse = async () => Promise.reject(new Error("unused"));

/** Holds a new data folder until the test is over, as a server does that replies to `status` with this. */
async function hold(reply: object | null): Promise<string> {
  const dataDir = await makeDataDir();
  const lock = await lockFolder(dataDir);
  const handlers = { copyDatabase: refuse, runAdminCommand: refuse, ...(reply && { readStatus: async () => reply }) };
  const control = await openControl(dataDir, handlers, () => {});
  onTestFinished(async () => {
    await control.close();
    await lock.release();
  });
  return dataDir;
}

const status: ServerStatus = {
  version: siteVersion,
  uptimeSeconds: 90_000,
  postgresql: "18.7",
  settings: {},
  mail: null,
  letters: null,
  troubles: [],
};
const waits = { count: 1, oldestSeconds: 7_300, lastError: null };
const refused = { ...waits, lastError: "smtp-auth-535 535 5.7.8 No" };
const trouble = (cause: ServerStatus["troubles"][number]["cause"]) => [{ cause, since: "2026-11-28T02:43:00Z" }];

it.each<[line: string, changes: Partial<ServerStatus> | null]>([
  ["not checked running server: …starting or stopping, or another command … in a minute", null],
  ["fix waiting mail: …take 1 email, the oldest for 2 hours. /admin/mail", { mail: waits }],
  ["fix waiting mail: …(smtp-auth-535: “535 5.7.8 No”). …SMTP_USER and SMTP_PASSWORD", { mail: refused }],
  ["ok waiting mail: …take 1 letter", { letters: waits }],
  [
    "look at trouble: …Nov 28, 2026, 2:43 AM UTC: The server’s clock went back",
    { troubles: trouble("retention-waits") },
  ],
  ["fix trouble: …has not deleted the data", { troubles: trouble("retention-late") }],
])("prints of a server’s status “%s”", async (line, changes) => {
  expect(await look(await hold(changes && { ...status, ...changes }))).toEqual(printed(line));
});

it("does not read the state of another version", async () => {
  const lines = await look(await hold({ version: "9.9.9" }));
  expect(lines).toEqual(printed("not checked running server: …another version… Restart the server"));
});

it("counts mail that waits for the mail server, apart from letters and from mail that waits for a limit", async () => {
  const backend = await startEmbeddedTestBackend();
  await backend.sql(`
    insert into private.email_outbox (kind, recipient, subject, body, created_at, line, last_error, attempted_at, forget_when_delivered)
    values
      ('trouble', null, 's', 'b', now() - interval '3 hours', null, 'smtp-451 451 No', now() - interval '2 hours', true),
      ('trouble', null, 's', 'b', now() + interval '1 day', null, 'smtp-421 421 Busy', now(), true),
      ('trouble', null, 's', 'b', now() - interval '9 hours', '', null, null, true)`);
  const state = await readStatus(backend.sql, { PORT: "digest" });
  expect(state).toMatchObject({
    mail: { count: 2, lastError: "smtp-421 421 Busy" },
    letters: null,
    postgresql: expect.stringMatching(/^18\./),
    settings: { PORT: "digest" },
    troubles: [],
  });
  expect(state.mail?.oldestSeconds).toBeGreaterThanOrEqual(3 * 3_600);
});
