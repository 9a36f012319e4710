import { Resolver } from "node:dns/promises";
import { mkdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import type { Answer } from "dns-packet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBackupStatus, writeBackupFailure } from "#supabase/embedded/backups/backup-status";
import { makeSigningKey } from "#supabase/embedded/backups/signature";
import { makeKey } from "#supabase/embedded/backups/encryption";
import { runOperation } from "#supabase/embedded/operations/run-operation";
import { type MailServer, startMailServer } from "../functions/support/mail-server";
import { findFreePort } from "../support/free-port";
import { runInProcess } from "../support/commands/run-in-process";
import { type Product, startProduct, testSettings } from "../support/product";
import { type NameServer, startNameServer } from "../support/servers/name-server";
import { type S3Server, startS3 } from "../support/servers/s3-server";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { Visitor, filledContactForm } from "../support/visitor";
import { type Diagnosis, diagnose, lineOf, problemsOf, supplyFacts } from "./support/doctor";

const records: Answer[] = [
  { type: "MX", name: "firm.example", data: { preference: 10, exchange: "in.provider.example" } },
  { type: "TXT", name: "firm.example", data: ["v=spf1 include:spf.provider.example -all"] },
  { type: "TXT", name: "s1._domainkey.firm.example", data: ["v=DKIM1; k=rsa; p=MIIBIjAN"] },
  { type: "TXT", name: "_dmarc.firm.example", data: ["v=DMARC1; p=quarantine"] },
];

const sections = [
  "settings",
  "facts",
  "data folder",
  "disk",
  "server",
  "database",
  "settings in effect",
  "waiting mail",
  "mail DNS",
  "mail server",
  "backups",
  "copies of backups",
];

let names: NameServer;
let mails: MailServer;
let s3: S3Server;
let site: Product;
let settings: Record<string, string>;

/** Sends a test email with these variables changed. */
async function send(changes: Record<string, string>): Promise<string[]> {
  const { findings } = await diagnose({ ...settings, ...changes }, { args: ["--send-mail", "--selector", "s1"] });
  return findings.filter(({ name }) => name === "test email").map(({ verdict, text }) => `${verdict} ${text}`);
}

/** Runs the command on the sound site, with these variables changed. */
async function withChanged(changes: Record<string, string>): Promise<Diagnosis> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([names.address]);
  return diagnose({ ...settings, ...changes }, { resolver });
}

beforeAll(async () => {
  names = await startNameServer(records);
  mails = await startMailServer(0, undefined, "a-secret-of-mail");
  s3 = await startS3("firm-backups");
  const dataDir = await makeSiteFolder();
  settings = testSettings(dataDir, {
    SITE_FACTS: await supplyFacts(),
    SITE_URL: "https://firm.example",
    TRUSTED_PROXIES: "1",
    PORT: String(await findFreePort()),
    METRICS_PORT: String(await findFreePort()),
    SMTP_URL: mails.url,
    SMTP_USER: "firm",
    SMTP_PASSWORD: "a-secret-of-mail",
    MAIL_FROM: "Firm <hello@firm.example>",
    CONTACT_TO: "office@firm.example",
    BACKUP_EVERY: "1d",
    BACKUP_RECIPIENT: (await makeKey()).recipient,
    BACKUP_SIGNING_KEY: makeSigningKey().signingKey,
    BACKUP_TO: "s3://firm-backups/site",
    ...s3.settings,
  });
  site = await startProduct(settings, { dataDir, timeouts: { firstBackup: 86_400_000 } });
  // The server makes its first backup a minute after its start.
  const { code, said } = await runInProcess(() => runOperation("backup", [], settings));
  if (code !== 0) throw new Error(said);
});
afterAll(async () => {
  await site?.stop();
  await mails?.close();
  names?.close();
  s3?.close();
});

it("finds nothing to do on a sound site in a container, and changes and sends nothing", async () => {
  const diagnosis = await withChanged({});
  expect(problemsOf(diagnosis)).toEqual([]);
  expect(diagnosis.code).toBe(0);
  for (const name of sections) expect(lineOf(diagnosis, "ok", name)).toMatch(new RegExp(`^ok ${name}: `));
  expect(lineOf(diagnosis, "ok", "database")).toContain("(PostgreSQL 18.");
  expect(mails.received).toEqual([]);
});

describe("the server", () => {
  it("is named when PORT leads to another program, or to no server of this folder", async () => {
    const other = createServer((_, response) => void response.end("hello")).listen(0, "127.0.0.1");
    await once(other, "listening");
    const foreign = await withChanged({ PORT: String((other.address() as AddressInfo).port) });
    other.close();
    expect(lineOf(foreign, "fix", "server")).toContain("Another program responds at");
    const wrongPort = await withChanged({ PORT: String(await findFreePort()) });
    expect(lineOf(wrongPort, "look at", "server")).toContain("A process holds the data folder, and none responds");
    expect(lineOf(wrongPort, "fix", "settings in effect")).toContain("another PORT. Restart the server");
    expect(lineOf(wrongPort, "ok", "database")).toContain("(PostgreSQL 18.");
    const wrongFolder = await withChanged({ DATA_DIR: await makeDataDir() });
    expect(lineOf(wrongFolder, "look at", "server")).toContain("does not hold this data folder");
  });

  it("is named when other machines can connect past the proxy", async () => {
    const { findings } = await diagnose({ ...settings, HOST: "0.0.0.0" }, { isContainer: false });
    expect(lineOf({ findings }, "look at", "listeners")).toMatch(/HOST=0\.0\.0\.0: .* Set HOST=127\.0\.0\.1/);
  });
});

describe("settings in effect", () => {
  it.each<[string, Record<string, string>, string | null]>([
    [
      "two that were changed since",
      { SMTP_PASSWORD: "another-secret", TRUSTED_PROXIES: "2" },
      "TRUSTED_PROXIES and SMTP_PASSWORD",
    ],
    ["one that was removed since", { REPLY_DAYS: "", METRICS_PORT: "" }, "METRICS_PORT"],
    ["none of the same value in another notation", { BACKUP_EVERY: "24h", HSTS: "host" }, null],
  ])("name %s, and no value", async (_, changes, changed) => {
    const diagnosis = await withChanged({ DATA_DIR: `${site.dataDir}/`, ...changes });
    expect(lineOf(diagnosis, changed === null ? "ok" : "fix", "settings in effect")).toContain(
      changed === null ? "these settings" : `started with another ${changed}. Restart`,
    );
  });

  it("cannot be compared without the keys, whose loss is named", async () => {
    const keys = join(site.dataDir, "secrets.json");
    await rename(keys, `${keys}.hidden`);
    const diagnosis = await withChanged({});
    await rename(`${keys}.hidden`, keys);
    expect(lineOf(diagnosis, "fix", "keys")).toMatch(
      /secrets\.json is gone\. .* unpack that file from the newest backup/,
    );
    expect(lineOf(diagnosis, "not checked", "settings in effect")).toContain("Put the file back");
  });
});

describe("mail", () => {
  it("names a sign-in that the mail server refuses, and a mail server that is away", async () => {
    const refused = await withChanged({ SMTP_PASSWORD: "wrong" });
    expect(lineOf(refused, "fix", "mail server")).toMatch(
      /\(smtp-auth-535: .*\)\. It rejects SMTP_USER or SMTP_PASSWORD/,
    );
    expect(refused.code).toBe(2);
    const away = await withChanged({ SMTP_URL: `smtp://127.0.0.1:${await findFreePort()}` });
    expect(lineOf(away, "fix", "mail server")).toMatch(/\(smtp-econnrefused\)\. No program listens/);
    const secure = await startMailServer(0, undefined, undefined, true);
    const untrusted = await withChanged({ SMTP_URL: secure.url.replace("127.0.0.1", "0.0.0.0") });
    await secure.close();
    expect(lineOf(untrusted, "fix", "mail server")).toMatch(/\(smtp-\w*cert\w*\)\. Its certificate/);
    const inClear = await withChanged({ SMTP_URL: mails.url.replace("smtp:", "smtps:") });
    expect(lineOf(inClear, "fix", "mail server")).toMatch(/\(smtp-err_ssl_\w+\)\. That port speaks no TLS/);
  });

  it("is tried by one email, once the mail server accepts the sign-in", async () => {
    expect(await send({ SMTP_PASSWORD: "wrong" })).toEqual([expect.stringMatching(/^not checked .* not usable/)]);
    expect(await send({ SMTP_URL: "", SMTP_USER: "", SMTP_PASSWORD: "" })).toEqual([
      expect.stringMatching(/^not checked No mail server/),
    ]);
    expect(mails.received).toEqual([]);
    mails.refuse("gone@firm.example", 550, "5.1.1 No such user");
    expect(await send({ CONTACT_TO: "office@firm.example, gone@firm.example" })).toEqual([
      "fix The mail server took it, but not for address 2 (smtp-550-5-1-1: “550 5.1.1 No such user”) of CONTACT_TO.",
    ]);
    expect(await send({})).toEqual([expect.stringMatching(/^ok The mail server took it\..*spf=pass/)]);
    const sent = mails.received.splice(0);
    expect(sent.map(({ content }) => content.subject)).toEqual(Array(2).fill("Test of the site's mail"));
  });

  it("that waits is named with the mail server's words", async () => {
    mails.refuse("everybody", 451, "4.3.0 The disk is full");
    const { status } = await new Visitor(site.url).post("/contact", filledContactForm, {
      Origin: settings.SITE_URL ?? "",
    });
    expect(status).toBe(303);
    await expect
      .poll(async () => (await withChanged({})).findings.find(({ name }) => name === "waiting mail"), {
        timeout: 60_000,
      })
      .toMatchObject({
        verdict: "look at",
        text: expect.stringMatching(/take 2 emails, the oldest for 0 minutes\. .*“451 4\.3\.0 The disk is full”/),
      });
    const other = await withChanged({ SMTP_USER: "other" });
    expect(lineOf(other, "look at", "waiting mail")).toContain("Restart the server: it has other mail settings.");
    mails.refuse("everybody", null);
  });

  it("names an address of the firm that the mail server refuses, by its place, and sends nothing", async () => {
    mails.refuse("desk@firm.example", 550, "5.1.1 No such user");
    const diagnosis = await withChanged({ CONTACT_TO: "office@firm.example, desk@firm.example" });
    expect(lineOf(diagnosis, "ok", "mail server")).toContain("It accepts the connection");
    const line = lineOf(diagnosis, "fix", "mail address");
    expect(line).toContain("refuses address 2 of CONTACT_TO (smtp-550-5-1-1: “550 5.1.1 No such user”)");
    expect(mails.received).toEqual([]);
  });

  it("names a mail server that does not greet, without calling it wrong", async () => {
    const silent = createTcpServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const diagnosis = await withChanged({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    silent.close();
    expect(lineOf(diagnosis, "look at", "mail server")).toMatch(/\(smtp-etimedout\)\. Check SMTP_URL/);
    expect(lineOf(diagnosis, "ok", "mail DNS")).toContain("SPF: ");
  });

  it("names missing DNS records, and says when no name server responds", async () => {
    const other = await withChanged({ MAIL_FROM: "hello@other.example" });
    expect(lineOf(other, "fix", "mail DNS")).toMatch(/SPF: other\.example has no TXT record/);
    const resolver = new Resolver({ timeout: 200, tries: 1 });
    resolver.setServers(["127.0.0.1:9"]);
    const silent = await diagnose(settings, { resolver });
    expect(lineOf(silent, "not checked", "mail DNS")).toContain("No name server responds");
    expect(silent.findings.filter(({ verdict }) => verdict === "fix")).toEqual([]);
  });
});

const folder = () => join(site.dataDir, "backups");

describe("backups", () => {
  it("are named when the newest was cut since it was made", async () => {
    const { newest } = await readBackupStatus(site.dataDir, Date.now());
    const file = join(folder(), newest?.name ?? "");
    const whole = await readFile(file);
    await truncate(file, 1_000);
    const diagnosis = await withChanged({});
    await writeFile(file, whole);
    expect(lineOf(diagnosis, "fix", "backups")).toMatch(
      new RegExp(`has 1000 bytes, and had ${whole.byteLength} when it was made.* Check the disk`),
    );
  });

  it("are named when the newest is old, and when plain ones are beside encrypted ones", async () => {
    const hidden = `${folder()}-hidden`;
    await rename(folder(), hidden);
    await mkdir(folder());
    await writeFile(join(folder(), "backup-2026-01-01T00-00-00-000Z.tar.gz.age"), "");
    await writeFile(join(folder(), "backup-2026-01-02T00-00-00-000Z.tar.gz"), "");
    const diagnosis = await withChanged({});
    await rm(folder(), { recursive: true });
    await rename(hidden, folder());
    expect(lineOf(diagnosis, "fix", "backups")).toMatch(
      /newest is of 2026-01-02.*Start the server, or run `node bin\/site\.mjs backup`/,
    );
    expect(lineOf(diagnosis, "look at", "backups")).toContain("backup-2026-01-02T00-00-00-000Z.tar.gz");
  });

  it.each([
    ["backup", "backups", /The last attempt failed\. .*backups\.failed/],
    [
      "copy",
      "copies of backups",
      /The last attempt failed\. .*Run `node bin\/site\.mjs backup`, which copies what is missing/,
    ],
  ] as const)("are named when the server's last %s failed", async (what, name, line) => {
    await writeBackupFailure(site.dataDir, { at: new Date().toISOString(), code: "ENOSPC", what });
    const diagnosis = await withChanged({});
    await writeBackupFailure(site.dataDir, null);
    expect(lineOf(diagnosis, "fix", name)).toMatch(line);
    expect(diagnosis.code).toBe(2);
  });

  it("are named when an hour after the first start there is none", async () => {
    const hidden = `${folder()}-hidden`;
    await rename(folder(), hidden);
    const young = await withChanged({ BACKUP_TO: "", BACKUP_RECIPIENT: "", BACKUP_SIGNING_KEY: "" });
    const marker = join(site.dataDir, "started.json");
    const started = await readFile(marker, "utf8");
    const readyAt = new Date(Date.now() - 2 * 3_600_000).toISOString();
    await writeFile(marker, JSON.stringify({ ...(JSON.parse(started) as object), readyAt }));
    const older = await withChanged({});
    await writeFile(marker, started);
    // The server may have written its notes about backups meanwhile.
    await rm(folder(), { recursive: true, force: true });
    await rename(hidden, folder());
    expect(lineOf(young, "not checked", "backups")).toContain("There is none");
    expect(lineOf(older, "look at", "backups")).toContain("site.mjs backup`");
  });

  it("are named when the bucket refuses them", async () => {
    const diagnosis = await withChanged({ BACKUP_TO: "s3://gone/site" });
    expect(lineOf(diagnosis, "fix", "copies of backups")).toMatch(/NoSuchBucket\. Check BACKUP_TO/);
  });
});
