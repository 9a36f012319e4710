import { once } from "node:events";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { type RequestListener, createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import type { Answer } from "dns-packet";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { readBackupStatus, writeBackupFailure } from "#supabase/embedded/backups/backup-status";
import { makeKey } from "#supabase/embedded/backups/encryption";
import { makeSigningKey } from "#supabase/embedded/backups/signature";
import { runOperation } from "#supabase/embedded/operations/run-operation";
import { type MailServer, startMailServer } from "../functions/support/mail-server";
import { runInProcess } from "../support/commands/run-in-process";
import { findFreePort } from "../support/free-port";
import { type Product, startProduct, testSettings } from "../support/product";
import { type NameServer, startNameServer } from "../support/servers/name-server";
import { type S3Server, startS3 } from "../support/servers/s3-server";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { Visitor, filledContactForm } from "../support/visitor";
import { type Fault, cause, diagnose, printed, problemsOf, resolveAt, supplyFacts } from "./support/doctor";

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

beforeAll(async () => {
  names = await startNameServer(records);
  mails = await startMailServer({ password: "a-secret-of-mail" });
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

/** Runs the command on the sound site, with these variables changed. */
const withChanged = (changes: Record<string, string>) =>
  diagnose({ ...settings, ...changes }, { resolver: resolveAt(names.address), isContainer: false });

/** Starts a program that takes connections until the test is over. @returns its port */
async function listen(respond?: RequestListener): Promise<string> {
  const server = (respond ? createServer(respond) : createTcpServer()).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return String((server.address() as AddressInfo).port);
}

/** Moves a file or folder of the site away until the test is over. */
async function hide(name: string): Promise<string> {
  const path = join(site.dataDir, name);
  await rename(path, `${path}.hidden`);
  onTestFinished(async () => {
    // The server may have written another meanwhile.
    await rm(path, { recursive: true, force: true });
    await rename(`${path}.hidden`, path);
  });
  return path;
}

async function cutNewestBackup(): Promise<void> {
  const { newest } = await readBackupStatus(site.dataDir, Date.now());
  await writeFile(await hide(join("backups", newest?.name ?? "")), Buffer.alloc(1_000));
}

async function replaceBackups(): Promise<void> {
  const folder = await hide("backups");
  await mkdir(folder);
  await writeFile(join(folder, "backup-2026-01-01T00-00-00-000Z.tar.gz.age"), "");
  await writeFile(join(folder, "backup-2026-01-02T00-00-00-000Z.tar.gz"), "");
}

async function failBackup(what: "backup" | "copy"): Promise<void> {
  await writeBackupFailure(site.dataDir, { at: new Date().toISOString(), code: "ENOSPC", what });
  onTestFinished(() => writeBackupFailure(site.dataDir, null));
}

async function hideBackups(hoursAfterStart: number): Promise<void> {
  await hide("backups");
  const marker = await hide("started.json");
  const started = JSON.parse(await readFile(`${marker}.hidden`, "utf8")) as object;
  const readyAt = new Date(Date.now() - hoursAfterStart * 3_600_000).toISOString();
  await writeFile(marker, JSON.stringify({ ...started, readyAt }));
}

async function useForeignCertificate(): Promise<Record<string, string>> {
  const secure = await startMailServer({ offersTls: true });
  onTestFinished(() => secure.close());
  return { SMTP_URL: secure.url.replace("127.0.0.1", "0.0.0.0") };
}

it("finds nothing to do on a sound site, and changes and sends nothing", async () => {
  const lines = await withChanged({});
  expect(problemsOf(lines)).toEqual([]);
  const ofSite = ["settings", "facts", "data folder", "disk", "server", "settings in effect", "waiting mail"];
  const ofServices = ["mail DNS", "mail server", "backups", "copies of backups", "database"];
  expect(lines).toEqual(printed(...[...ofSite, ...ofServices].map((name) => `ok ${name}: `)));
  expect(lines).toEqual(printed("ok database: …(PostgreSQL 18."));
  expect(mails.received).toEqual([]);
});

const useOtherProgram = async () => ({ PORT: await listen((_, response) => void response.end("hello")) });
const useFreePort = async () => ({ PORT: String(await findFreePort()) });
const useOtherFolder = async () => ({ DATA_DIR: await makeDataDir() });
const useOtherNotation = async () => ({ DATA_DIR: `${site.dataDir}/`, BACKUP_EVERY: "24h", HSTS: "host" });
const hideKeys = async () => void (await hide("secrets.json"));
const useNoMail = async () => ({ SMTP_URL: `smtp://127.0.0.1:${await findFreePort()}` });
const useSilentMail = async () => ({ SMTP_URL: `smtp://127.0.0.1:${await listen()}` });
const useTls = async () => ({ SMTP_URL: mails.url.replace("smtp:", "smtps:") });
const refused = "desk@firm.example";

const faults: Fault[] = [
  ["fix server: Another program responds at", useOtherProgram],
  [
    "look at server: A process holds the data folder, and none responds",
    useFreePort,
    "fix settings in effect: …started with another PORT. Restart the server",
    "ok database: …(PostgreSQL 18.",
  ],
  ["look at server: …does not hold this data folder", useOtherFolder],
  ["look at listeners: HOST=0.0.0.0: … Set HOST=127.0.0.1", { HOST: "0.0.0.0" }],
  [
    "fix settings in effect: …started with another TRUSTED_PROXIES and SMTP_PASSWORD. Restart",
    { SMTP_PASSWORD: "another-secret", TRUSTED_PROXIES: "2" },
  ],
  ["fix settings in effect: …started with another METRICS_PORT. Restart", { REPLY_DAYS: "", METRICS_PORT: "" }],
  ["ok settings in effect: …these settings", useOtherNotation],
  [
    "fix keys: …secrets.json is gone. … unpack that file from the newest backup",
    hideKeys,
    "not checked settings in effect: …Put the file back",
  ],
  ["fix mail server: …(smtp-auth-535: …). It rejects SMTP_USER or SMTP_PASSWORD", { SMTP_PASSWORD: "wrong" }],
  ["fix mail server: …(smtp-econnrefused). No program listens", useNoMail],
  ["fix mail server: …(smtp-…cert…). Its certificate", useForeignCertificate],
  ["fix mail server: …(smtp-err_ssl_…). That port speaks no TLS", useTls],
  ["look at mail server: …(smtp-etimedout). Check SMTP_URL", useSilentMail, "ok mail DNS: SPF: "],
  [
    "ok mail server: It accepts the connection",
    { CONTACT_TO: `office@firm.example, ${refused}` },
    "fix mail address: …refuses address 2 of CONTACT_TO (smtp-550-5-1-1: “550 5.1.1 No such user”)",
  ],
  ["fix mail DNS: SPF: other.example has no TXT record", { MAIL_FROM: "a@other.example" }],
  ["fix backups: …has 1000 bytes, and had … when it was made… Check the disk", cutNewestBackup],
  [
    "fix backups: The newest is of 2026-01-02…Start the server, or run `node bin/site.mjs backup`",
    replaceBackups,
    "look at backups: …backup-2026-01-02T00-00-00-000Z.tar.gz",
  ],
  ["fix backups: The last attempt failed. …backups.failed", () => failBackup("backup")],
  [
    "fix copies of backups: The last attempt failed. …Run `node bin/site.mjs backup`, which copies what is missing",
    () => failBackup("copy"),
  ],
  ["not checked backups: There is none", () => hideBackups(0)],
  ["look at backups: There is none…site.mjs backup`", () => hideBackups(2)],
  ["fix copies of backups: …NoSuchBucket. Check BACKUP_TO", { BACKUP_TO: "s3://gone/site" }],
];

it.each(faults)("prints “%s”", async (line, given, ...more) => {
  mails.refuse(refused, 550, "5.1.1 No such user");
  expect(await withChanged(await cause(given))).toEqual(printed(line, ...more));
  expect(mails.received).toEqual([]);
});

it("does not call mail wrong when no name server responds", async () => {
  const lines = await diagnose(settings, { resolver: resolveAt() });
  expect(lines).toEqual(printed("not checked mail DNS: No name server responds"));
  expect(problemsOf(lines)).toEqual([]);
});

it.each<[line: string, changes: Record<string, string>, sent: number]>([
  ["not checked test email: …not usable", { SMTP_PASSWORD: "wrong" }, 0],
  ["not checked test email: No mail server", { SMTP_URL: "", SMTP_USER: "", SMTP_PASSWORD: "" }, 0],
  [
    "fix test email: …took it, but not for address 2 (smtp-550-5-1-1: “550 5.1.1 No such user”) of CONTACT_TO.",
    { CONTACT_TO: `office@firm.example, ${refused}` },
    1,
  ],
  ["ok test email: The mail server took it.…spf=pass", {}, 1],
])("prints “%s” alone after trying one email", async (line, changes, sent) => {
  mails.refuse(refused, 550, "5.1.1 No such user");
  const lines = await diagnose({ ...settings, ...changes }, { args: ["--send-mail", "--selector", "s1"] });
  expect(lines.filter((each) => / test email: /.test(each))).toHaveLength(1);
  expect(lines).toEqual(printed(line));
  const subjects = mails.received.splice(0).map(({ content }) => content.subject);
  expect(subjects).toEqual(Array(sent).fill("Test of the site's mail"));
});

it("names mail that waits, with the mail server's words", async () => {
  mails.refuse("everybody", 451, "4.3.0 The disk is full");
  const headers = { Origin: settings.SITE_URL ?? "" };
  expect((await new Visitor(site.url).post("/contact", filledContactForm, headers)).status).toBe(303);
  const waiting = "look at waiting mail: …take 2 emails, the oldest for 0 minutes. …“451 4.3.0 The disk is full”";
  await expect.poll(() => withChanged({}), { timeout: 60_000 }).toEqual(printed(waiting));
  const other = await withChanged({ SMTP_USER: "other" });
  expect(other).toEqual(printed("look at waiting mail: …Restart the server: it has other mail settings."));
  mails.refuse("everybody", null);
});
