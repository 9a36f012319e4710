import { Resolver } from "node:dns/promises";
import { mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import type { Answer } from "dns-packet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeBackupFailure } from "#supabase/embedded/folder/backup-status";
import { makeSigningKey } from "#supabase/embedded/folder/signature";
import { makeKey } from "#supabase/embedded/operations/backups/encryption";
import { runOperation } from "#supabase/embedded/operations/run-operation";
import { type MailServer, startMailServer } from "../functions/support/mail-server";
import { findFreePort } from "../support/free-port";
import { runInProcess } from "../support/commands/run-in-process";
import { type Product, startProduct, testSettings } from "../support/product";
import { type NameServer, startNameServer } from "../support/servers/name-server";
import { type S3Server, startS3 } from "../support/servers/s3-server";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { type Diagnosis, diagnose, lineOf, problemsOf, supplyFacts } from "./support/doctor";

const records: Answer[] = [
  { type: "MX", name: "firm.example", data: { preference: 10, exchange: "in.provider.example" } },
  { type: "TXT", name: "firm.example", data: ["v=spf1 include:spf.provider.example -all"] },
  { type: "TXT", name: "s1._domainkey.firm.example", data: ["v=DKIM1; k=rsa; p=MIIBIjAN"] },
  { type: "TXT", name: "_dmarc.firm.example", data: ["v=DMARC1; p=quarantine"] },
];

let names: NameServer;
let mails: MailServer;
let s3: S3Server;
let site: Product;
let settings: Record<string, string>;

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
  site = await startProduct({ ...settings, BACKUP_EVERY: "off" }, { dataDir });
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
  for (const name of ["settings", "facts", "data folder", "disk", "server", "database", "mail DNS", "mail server"])
    expect(lineOf(diagnosis, "ok", name)).toMatch(new RegExp(`^ok ${name}: `));
  expect(lineOf(diagnosis, "ok", "database")).toContain("(PostgreSQL 18.");
  for (const name of ["backups", "copies of backups"]) expect(lineOf(diagnosis, "ok", name)).toContain(`ok ${name}: `);
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
    const wrongFolder = await withChanged({ DATA_DIR: await makeDataDir() });
    expect(lineOf(wrongFolder, "look at", "server")).toContain("does not hold this data folder");
  });

  it("is named when other machines can connect past the proxy", async () => {
    const { findings } = await diagnose({ ...settings, HOST: "0.0.0.0" }, { isContainer: false });
    expect(lineOf({ findings }, "look at", "listeners")).toMatch(/HOST=0\.0\.0\.0: .* Set HOST=127\.0\.0\.1/);
  });
});

describe("mail", () => {
  it("names a sign-in that the mail server refuses, and a mail server that is away", async () => {
    const refused = await withChanged({ SMTP_PASSWORD: "wrong" });
    expect(lineOf(refused, "fix", "mail server")).toMatch(
      /\(smtp-auth-535: .*\)\. It rejects the user or the password/,
    );
    expect(refused.code).toBe(2);
    const away = await withChanged({ SMTP_URL: `smtp://127.0.0.1:${await findFreePort()}` });
    expect(lineOf(away, "fix", "mail server")).toMatch(/\(smtp-e\w+\)\. Check SMTP_URL/);
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
    expect(silent.code).toBe(0);
  });
});

const folder = () => join(site.dataDir, "backups");

describe("backups", () => {
  it("are named when the newest is old, and when plain ones are beside encrypted ones", async () => {
    const hidden = `${folder()}-hidden`;
    await rename(folder(), hidden);
    await mkdir(folder());
    await writeFile(join(folder(), "backup-2026-01-01T00-00-00-000Z.tar.gz.age"), "");
    await writeFile(join(folder(), "backup-2026-01-02T00-00-00-000Z.tar.gz"), "");
    const diagnosis = await withChanged({});
    await rm(folder(), { recursive: true });
    await rename(hidden, folder());
    expect(lineOf(diagnosis, "fix", "backups")).toMatch(/newest is of 2026-01-02.*Start the server, or run `backup`/);
    expect(lineOf(diagnosis, "look at", "backups")).toContain("backup-2026-01-02T00-00-00-000Z.tar.gz");
  });

  it.each([
    ["backup", "backups", /The last attempt failed\. .*backups\.failed/],
    ["copy", "copies of backups", /The last attempt failed\. .*Run `backup`, which copies what is missing/],
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
    const then = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(site.dataDir, "secrets.json"), then, then);
    const older = await withChanged({});
    // The server may have written its notes about backups meanwhile.
    await rm(folder(), { recursive: true, force: true });
    await rename(hidden, folder());
    expect([lineOf(young, "not checked", "backups"), young.code]).toEqual([
      expect.stringContaining("There is none"),
      0,
    ]);
    expect([lineOf(older, "look at", "backups"), older.code]).toEqual([expect.stringContaining("run `backup`"), 1]);
  });

  it("are named when the bucket refuses them", async () => {
    const diagnosis = await withChanged({ BACKUP_TO: "s3://gone/site" });
    expect(lineOf(diagnosis, "fix", "copies of backups")).toMatch(/NoSuchBucket\. Check BACKUP_TO/);
  });
});
