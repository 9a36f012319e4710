import type { Answer } from "dns-packet";
import { expect, it } from "vitest";
import { checkMailRecords } from "~/server/commands/doctor/mail-records.server";
import { startNameServer } from "../support/servers/name-server";
import { resolveAt } from "./support/doctor";

const mx = (name: string, exchange: string): Answer => ({ type: "MX", name, data: { preference: 10, exchange } });
const txt = (name: string, ...strings: string[]): Answer => ({ type: "TXT", name, data: strings });
const good = [
  mx("mail.firm.example", "in.provider.example"),
  mx("firm.example", "in.provider.example"),
  // A long record consists of several strings.
  txt("mail.firm.example", "v=spf1 include:spf.provider.example ", "-all"),
  txt("mail.firm.example", "some-site-verification=1"),
  txt("s1._domainkey.mail.firm.example", "v=DKIM1; k=rsa; p=MIIB", "IjAN"),
  txt("old._domainkey.mail.firm.example", "v=DKIM1; p="),
  txt("_dmarc.firm.example", "v=DMARC1; p=quarantine; rua=mailto:dmarc@firm.example"),
];

async function check(records: Answer[], selector?: string): Promise<string[]> {
  const names = await startNameServer(records);
  const domains = { sender: "mail.firm.example", recipients: ["firm.example"], selector };
  const findings = await checkMailRecords(domains, resolveAt(names.address)).finally(() => names.close());
  return findings.map(({ verdict, text }) => `${verdict} ${text}`);
}

it("accepts good records, including a parent's DMARC and a record of several strings", async () => {
  const lines = await check(good);
  expect(lines.map((line) => line.split(":")[0])).toEqual(["ok MX", "ok MX", "ok SPF", "ok DKIM", "ok DMARC"]);
  expect(lines.join("\n")).toMatch(/SPF: "v=spf1 include:spf\.provider\.example -all"[^]*a key named s1/);
});

it.each<[string, Answer[], string, string?]>([
  ["no records at all", [], "SPF: mail.firm.example has no TXT record"],
  ["two SPF records", [...good, txt("mail.firm.example", "v=spf1 a -all")], "SPF: mail.firm.example has 2 records"],
  ["an SPF record for every sender", [txt("mail.firm.example", "v=spf1 a all")], "lets anyone send for mail.firm"],
  ["a null MX", [mx("mail.firm.example", ".")], "MX: mail.firm.example accepts no mail"],
  ["no DMARC", good.filter(({ name }) => !name.startsWith("_dmarc")), "DMARC: there is no record at _dmarc.mail"],
  ["DMARC without a policy", [txt("_dmarc.firm.example", "v=DMARC1; rua=mailto:a@firm.example")], "has no policy (p=)"],
  ["a revoked key", good, "DKIM: there is no key at old._domainkey.mail.firm.example.", "old"],
])("reports %s as a fault", async (_, records, words, selector) => {
  expect((await check(records, selector)).find((line) => line.includes(words))).toMatch(/^fix /);
});
