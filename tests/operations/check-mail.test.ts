import { Resolver } from "node:dns/promises";
import type { Answer } from "dns-packet";
import { afterEach, expect, it } from "vitest";
import { parseSettings } from "~/server/config/settings.server";
import { checkMail } from "~/server/commands/check-mail.server";
import { type MailServer, startMailServer } from "../functions/support/mail-server";
import { startScriptedMailServer } from "../functions/support/scripted-mail-server";
import { runCommand } from "../support/commands/admin-command";
import { type NameServer, startNameServer } from "../support/servers/name-server";

let names: NameServer | undefined;
let mails: MailServer | undefined;
afterEach(closeServers);

async function closeServers(): Promise<void> {
  names?.close();
  await mails?.close();
  names = undefined;
  mails = undefined;
}

const mx = (name: string, exchange: string): Answer => ({ type: "MX", name, data: { preference: 10, exchange } });
const txt = (name: string, ...strings: string[]): Answer => ({ type: "TXT", name, data: strings });
const good = [
  mx("mail.firm.example", "in.provider.example"),
  mx("firm.example", "in.provider.example"),
  // A long record consists of several strings.
  txt("mail.firm.example", "v=spf1 include:spf.provider.example ", "-all"),
  txt("mail.firm.example", "some-site-verification=1"),
  txt("s1._domainkey.mail.firm.example", "v=DKIM1; k=rsa; p=MIIB", "IjAN"),
  txt("_dmarc.firm.example", "v=DMARC1; p=quarantine; rua=mailto:dmarc@firm.example"),
];

/** @returns the command's output, and true if it found no fault */
async function check(records: Answer[], { selector, refuses }: { selector?: string; refuses?: boolean } = {}) {
  names = await startNameServer(records);
  mails = await startMailServer();
  if (refuses) mails.refuse("office@firm.example", 550);
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([names.address]);
  const settings = parseSettings({
    SITE_URL: "https://firm.example",
    SMTP_URL: mails.url,
    MAIL_FROM: "The Firm <hello@Mail.Firm.example>",
    CONTACT_TO: "office@firm.example",
  });
  return checkMail(settings, selector, resolver).then(
    (text) => ({ text, isGood: true }),
    (error: Error) => ({ text: error.message, isGood: false }),
  );
}

it("accepts good records, including a parent's DMARC, and sends the firm an email", async () => {
  const { text, isGood } = await check(good);
  expect(text.split("\n").map((line) => line.slice(0, 12).trim())).toEqual([
    "ok     MX: m",
    "ok     MX: m",
    "ok     SPF:",
    "ok     DKIM:",
    "ok     DMARC",
    "check  Mail:",
  ]);
  expect(text).toContain('SPF: "v=spf1 include:spf.provider.example -all"');
  expect(text).toContain("a key named s1");
  expect(isGood).toBe(true);
  expect(mails?.received.map(({ recipients, content }) => [recipients, content.subject])).toEqual([
    [["office@firm.example"], "Test of the site's mail"],
  ]);
});

it.each<[string, Answer[], string]>([
  ["no records at all", [], "SPF: mail.firm.example has no TXT record"],
  ["two SPF records", [...good, txt("mail.firm.example", "v=spf1 a -all")], "SPF: mail.firm.example has 2 records"],
  [
    "an SPF record that allows every sender",
    [txt("mail.firm.example", "v=spf1 a all")],
    "lets anyone send for mail.firm.example",
  ],
  ["a null MX", [mx("mail.firm.example", ".")], "MX: mail.firm.example accepts no mail"],
  [
    "no DMARC",
    good.filter(({ name }) => !name.startsWith("_dmarc")),
    "DMARC: there is no record at _dmarc.mail.firm.example",
  ],
  ["DMARC without a policy", [txt("_dmarc.firm.example", "v=DMARC1; rua=mailto:a@firm.example")], "has no policy (p=)"],
])("reports %s as a fault", async (_, records, words) => {
  const { text, isGood } = await check(records);
  expect(text.split("\n").find((line) => line.includes(words))).toMatch(/^error {2}/);
  expect(isGood).toBe(false);
});

it("reports a revoked or misnamed key, and a recipient that the mail server rejects", async () => {
  const revoked = await check([...good, txt("old._domainkey.mail.firm.example", "v=DKIM1; p=")], { selector: "old" });
  expect(revoked.text).toContain("error  DKIM: there is no key at old._domainkey.mail.firm.example.");
  await closeServers();
  const refused = await check(good, { refuses: true });
  expect(refused.text).toContain(
    "error  Mail: the mail server rejected a test email to office@firm.example (smtp-550: “550 no mail for (address)”).",
  );
});

it("checks each address of the firm, and names the settings for a password that the mail server rejects", async () => {
  names = await startNameServer(good);
  mails = await startMailServer(0, undefined, "right%41");
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([names.address]);
  const settings = {
    MAIL_FROM: "Firm, Inc. <hello@mail.firm.example>",
    CONTACT_TO: "Desk <desk@firm.example>; b@x.example",
  };
  const checkWith = (server: Record<string, string>) =>
    checkMail(parseSettings({ ...settings, ...server }), undefined, resolver).catch((error: Error) => error.message);
  // %41 in a URL decodes to A.
  const misread = await checkWith({ SMTP_URL: mails.url.replace("//", "//u:right%41@") });
  expect(misread).toMatch(/rejected a test email .*\(smtp-auth-535: .*\)\..* SMTP_USER and SMTP_PASSWORD/);
  expect(misread).toContain("MX: x.example");
  expect(misread).not.toContain("right");
  const taken = await checkWith({ SMTP_URL: mails.url, SMTP_USER: "u", SMTP_PASSWORD: "right%41" });
  expect(taken).toContain("Mail: the mail server accepted a test email");
  expect(mails.received.map(({ recipients }) => recipients)).toEqual([["desk@firm.example", "b@x.example"]]);
  mails.refuse("b@x.example", 550, "5.1.1 No such user");
  const partly = await checkWith({ SMTP_URL: mails.url, SMTP_USER: "u", SMTP_PASSWORD: "right%41" });
  expect(partly).toMatch(/^error {2}Mail: .* but not to b@x\.example \(smtp-550-5-1-1: “550 5\.1\.1 No such user”\)/m);
  const strict = await startScriptedMailServer();
  strict.script = (step) => (step === "EHLO" ? "421 4.7.0 Who are you?" : null);
  expect(await checkWith({ SMTP_URL: strict.url })).toMatch(
    /\(smtp-ehlo-421-4-7-0: “421 4\.7\.0 Who are you\?”\)\. It does not accept/,
  );
  strict.close();
});

it("reports that a remote server offers no encryption, and that mail leaves unencrypted", async () => {
  names = await startNameServer(good);
  mails = await startMailServer();
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([names.address]);
  const elsewhere = { SMTP_URL: mails.url.replace("127.0.0.1", "0.0.0.0"), MAIL_FROM: "hello@mail.firm.example" };
  const checkWith = (settings: Record<string, string>) =>
    checkMail(parseSettings({ ...elsewhere, CONTACT_TO: "desk@firm.example", ...settings }), undefined, resolver);
  await expect(checkWith({})).rejects.toThrow(/^error {2}Mail: .*\(smtp-no-tls\)\. It offers no encryption/m);
  expect(mails.received).toEqual([]);
  expect(await checkWith({ SMTP_TLS: "off" })).toMatch(
    /^check {2}Mail: SMTP_TLS is off\. Mail leaves this machine unencrypted/m,
  );
  expect(mails.received).toHaveLength(1);
});

it("reports an unreachable name server instead of missing records", async () => {
  const resolver = new Resolver({ timeout: 200, tries: 1 });
  resolver.setServers(["127.0.0.1:9"]);
  const settings = parseSettings({ MAIL_FROM: "hello@firm.example" });
  await expect(checkMail(settings, undefined, resolver)).rejects.toThrow(/^No name server responds \(E/);
});

it("names missing settings", async () => {
  const unset = await runCommand("check-mail", [], "unused");
  expect(unset).toEqual({ code: 1, said: "Set MAIL_FROM first: mail has no sender of your own yet." });
});
