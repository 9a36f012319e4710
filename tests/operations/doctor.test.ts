import { Resolver } from "node:dns/promises";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
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
import { canBeRefused, makeForeignFolder, openForeignFolders, runSite } from "./support/run-site";

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
  site = await startProduct(settings, { dataDir });
  // The server makes its first backup a minute after its start.
  const { code, said } = await runInProcess(() => runOperation("backup", [], settings));
  if (code !== 0) throw new Error(said);
});
afterAll(async () => {
  await site?.stop();
  await mails?.close();
  names?.close();
  s3?.close();
  await openForeignFolders();
});

it("finds nothing to do on a sound site in a container, and changes and sends nothing", async () => {
  const diagnosis = await withChanged({});
  expect(problemsOf(diagnosis)).toEqual([]);
  expect(diagnosis.code).toBe(0);
  expect(diagnosis.seconds).toBeLessThan(10);
  for (const name of ["settings", "facts", "data folder", "disk", "server", "database", "mail DNS", "mail server"])
    expect(lineOf(diagnosis, "ok", name)).toMatch(new RegExp(`^ok ${name}: `));
  for (const name of ["backups", "copies of backups"]) expect(lineOf(diagnosis, "ok", name)).toContain(`ok ${name}: `);
  expect(mails.received).toEqual([]);
});

describe("settings", () => {
  it.each<[string, Record<string, string>, RegExp]>([
    [
      "no mail server on a public site",
      { SMTP_URL: "", SMTP_USER: "", SMTP_PASSWORD: "" },
      /^fix settings: No mail server .* See .*“Mail”/,
    ],
    ["a sender without an address", { MAIL_FROM: "firm" }, /^fix settings: MAIL_FROM must be one email address, like /],
    [
      "TRUSTED_PROXIES of 0 with an https SITE_URL",
      { TRUSTED_PROXIES: "0" },
      /^fix settings: A proxy .* Behind a proxy/m,
    ],
    [
      "a public site without https",
      { SITE_URL: "http://firm.example" },
      /^look at settings: SITE_URL begins with http:\/\//,
    ],
    [
      "a misspelled name",
      { TRUSTED_PROXY: "1" },
      /^look at settings: TRUSTED_PROXY \(TRUSTED_PROXIES\?\) is set but not used\./,
    ],
    [
      "a guessed password",
      { ADMIN_PASSWORD: "password1234" },
      /^look at settings: A start refuses ADMIN_PASSWORD .* Use a password manager/,
    ],
  ])("name %s", async (_, changes, line) => {
    const diagnosis = await withChanged(changes);
    expect(lineOf(diagnosis, line.source.startsWith("^fix") ? "fix" : "look at", "settings")).toMatch(line);
    expect(diagnosis.code).toBe(line.source.startsWith("^fix") ? 2 : 1);
  });

  it("are all named that a start would name, in the file .env as well, by the program of the build", async () => {
    const DATA_DIR = await makeDataDir();
    const two = await runSite(["doctor", "--json"], { settings: { DATA_DIR, PORT: "none", SITE_URL: "firm" } });
    expect(two).toMatchObject({ code: 2, err: "" });
    expect(JSON.parse(two.out)).toMatchObject([
      { name: "settings", verdict: "fix", text: expect.stringMatching(/^PORT must be /) },
      { name: "settings", verdict: "fix", text: expect.stringMatching(/^SITE_URL must be /) },
      { verdict: "not checked" },
    ]);
    const file = await runSite(["doctor"], { settings: { DATA_DIR }, envFile: "SITE_URL\nPORT=0\n" });
    expect(file).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^fix +settings: line 1 .* Correct the file \.env\.$/m),
    });
    const unknown = await runSite(["doctor"], { settings: { DATA_DIR }, envFile: "FIRM_COLOR=blue\nPORT=0\n" });
    expect(unknown).toMatchObject({
      code: 1,
      out: expect.stringContaining("settings: FIRM_COLOR is set but not used."),
    });
    expect(await runSite(["doctor", "--all"])).toMatchObject({ code: 2, err: expect.stringMatching(/^Usage: /) });
  });

  it("name mistakes in the facts", async () => {
    const DATA_DIR = await makeDataDir();
    await writeFile(join(DATA_DIR, "facts.yaml"), "nmae: Firm One\nemail: nobody\n");
    const { code, out } = await runSite(["doctor"], { settings: { DATA_DIR, PORT: "0" } });
    expect(out.match(/^fix +facts: .*facts\.example\.yaml.*$/gm)).toHaveLength(2);
    expect(code).toBe(2);
  });
});

describe("the data folder and its server", () => {
  it.skipIf(!canBeRefused)("are named when this user may only read the folder", async () => {
    const settingsOfUser = { PORT: "0", DATA_DIR: await makeForeignFolder(0o755) };
    const { code, out } = await runSite(["doctor"], { settings: settingsOfUser, asNobody: true });
    expect(out).toMatch(
      /^fix +data folder: .*\/foreign cannot be read and written \(EACCES\)\. Start this as .*DATA_DIR/m,
    );
    expect(code).toBe(2);
  });

  it("are named when PORT leads to another program, or to no server of this folder", async () => {
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

  it("are named when other machines can connect past the proxy", async () => {
    const { findings } = await diagnose({ ...settings, HOST: "0.0.0.0" }, { isContainer: false });
    expect(lineOf({ findings }, "look at", "listeners")).toMatch(/HOST=0\.0\.0\.0: .* Set HOST=127\.0\.0\.1/);
  });
});

describe("mail", () => {
  it("names a sign-in that the mail server refuses, and a mail server that is away", async () => {
    const refused = await withChanged({ SMTP_PASSWORD: "wrong" });
    expect(lineOf(refused, "fix", "mail server")).toMatch(/\(smtp-auth-535\)\. It rejects the user or the password/);
    expect(refused.code).toBe(2);
    const away = await withChanged({ SMTP_URL: `smtp://127.0.0.1:${await findFreePort()}` });
    expect(lineOf(away, "fix", "mail server")).toMatch(/\(smtp-e\w+\)\. Check SMTP_URL/);
  });

  it("names a mail server that does not greet, without calling it wrong", async () => {
    const silent = createTcpServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const diagnosis = await withChanged({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    silent.close();
    expect(lineOf(diagnosis, "look at", "mail server")).toMatch(/\(smtp-etimedout\)\. Check SMTP_URL/);
    expect(lineOf(diagnosis, "ok", "mail DNS")).toContain("SPF: ");
    expect(diagnosis.seconds).toBeLessThan(10);
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

  it("are named when the bucket refuses them", async () => {
    const diagnosis = await withChanged({ BACKUP_TO: "s3://gone/site" });
    expect(lineOf(diagnosis, "fix", "copies of backups")).toMatch(/NoSuchBucket\. Check BACKUP_TO/);
  });
});
