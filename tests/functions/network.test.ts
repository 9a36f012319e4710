import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { networkPeriods } from "~/content/facts";
import { networkMailPeriods } from "#supabase/functions/_shared/mails/network-mail.ts";
import { ageLinks, ageMember, byToken, findMember, readMemberActions, tokenOf } from "../database/support/network.ts";
import { headerOf, type MailServer } from "./support/mail-server.ts";
import { newMessage, type Site } from "./support/site.ts";
import { startSiteWithMail } from "./support/site-with-mail.ts";

let site: Site;
let mailServer: MailServer;
beforeAll(async () => {
  ({ site, mailServer } = await startSiteWithMail());
});
beforeEach(async () => {
  await site.finishBackgroundWork();
  mailServer.received.length = 0;
});
afterAll(() => site?.close());

const network = {
  kind: "angel",
  fields: ["devices", "ai", "ai"],
  checkSize: "25k-100k",
  place: "Oregon",
  qualification: "no",
  consentPolicyVersion: "1.0",
  consentTextHash: "0b".repeat(32),
};

let people = 0;
const newPerson = () => `investor-${(people += 1)}@fund.example`;
const askToJoin = (email: string, changes: Record<string, unknown> = {}, wish: Record<string, unknown> = network) =>
  site.call("send-contact-email", newMessage({ email, network: wish, ...changes }));

/** Returns and clears the mails to this address that carry a link to the network. */
async function takeLinks(address: string) {
  await site.finishBackgroundWork();
  const mails = mailServer.received.filter(({ recipients }) => recipients.includes(address));
  mailServer.received.length = 0;
  return mails.flatMap(({ content }) => {
    const text = content.text ?? "";
    const token = /^https:\/\/firm\.example\/network\?token=([\w-]{64})$/m.exec(text)?.[1];
    return token === undefined ? [] : [{ subject: content.subject ?? "", text, token, content }];
  });
}

it("stores the wish with its message, and mails one link that names the firm and quotes nothing", async () => {
  const email = newPerson();
  site.settings.FIRM_NAME = "Hale & Co";
  expect((await askToJoin(email, { name: "Grace Hopper", company: "Harbor Fund" })).status).toBe(200);
  const [mail, ...others] = await takeLinks(email);
  delete site.settings.FIRM_NAME;
  expect(others).toEqual([]);
  expect(mail!.subject).toBe("Please confirm: the investor network of Hale & Co");
  expect(mail!.text).toContain(`${networkPeriods.confirmDays} days after it was first made`);
  expect(mail!.text).toContain("Not you? Do nothing.");
  expect(mail!.text.match(/https?:/g)).toHaveLength(1);
  expect(mail!.text).not.toMatch(/Grace|Harbor|Oregon|call me/);
  expect(headerOf(mail!.content, "auto-submitted")).toBe("auto-generated");
  expect(await findMember(site, email)).toMatchObject({
    name: "Grace Hopper",
    company: "Harbor Fund",
    state: "asked",
    kind: "angel",
    fields: ["ai", "devices"],
    check_size: "25k-100k",
    place: "Oregon",
    qualification: "no",
    consent_text_hash: network.consentTextHash,
  });
});

it("tells the firm in its mail, in the notice and in the mail about a held-back message", async () => {
  const readFirmMail = async (changes: Record<string, unknown>) => {
    await askToJoin(newPerson(), changes);
    await site.finishBackgroundWork();
    const mail = mailServer.received.find(({ recipients }) => recipients.includes("hello@firm.example"));
    mailServer.received.length = 0;
    return mail?.content.text ?? "";
  };
  const sentence = "The sender also asked to join the investor network";
  expect(await readFirmMail({})).toContain(sentence);
  expect(await readFirmMail({ network: undefined })).not.toContain(sentence);
  expect(await readFirmMail({ honeypot: "x" })).toContain(`${sentence}, and got no link`);
  site.settings.MAIL_CONTENT = "notice";
  expect(await readFirmMail({})).toContain(sentence);
  delete site.settings.MAIL_CONTENT;
});

it("accepts a wish without details, and rejects one with wrong values or without proof of consent", async () => {
  const email = newPerson();
  const proof = { consentPolicyVersion: "1.0", consentTextHash: network.consentTextHash };
  expect((await askToJoin(email, {}, proof)).status).toBe(200);
  expect(await findMember(site, email)).toMatchObject({ kind: null, fields: [], check_size: null, place: null });
  for (const wrong of [
    { kind: "king" },
    { fields: ["gold"] },
    { fields: "ai" },
    { checkSize: 5 },
    { place: "x".repeat(101) },
    { qualification: "yes" },
    { consentTextHash: undefined },
    { consentPolicyVersion: "new" },
  ]) {
    const refused = await askToJoin(newPerson(), {}, { ...network, ...wrong });
    expect([refused.status, await refused.json()]).toMatchObject([400, { fields: { network: expect.any(Array) } }]);
  }
});

it("mails nothing to the sender of a held-back message", async () => {
  const email = newPerson();
  expect((await askToJoin(email, { honeypot: "x" })).status).toBe(200);
  expect(await takeLinks(email)).toEqual([]);
  expect(await findMember(site, email)).toMatchObject({ state: "asked" });
});

it("mails the link of a repeated message, and keeps what a member has confirmed", async () => {
  const email = newPerson();
  const message = newMessage({ email });
  expect((await site.call("send-contact-email", message)).status).toBe(200);
  expect(await takeLinks(email)).toEqual([]);
  expect((await site.call("send-contact-email", { ...message, network })).status).toBe(200);
  const [mail] = await takeLinks(email);
  await byToken(site, "confirm_membership", mail!.token);
  await ageLinks(site, email);
  const evil = "Eve\r\nBcc: all@firm.example \u202e=HYPERLINK(1)";
  expect((await askToJoin(email, { name: evil })).status).toBe(200);
  const [again] = await takeLinks(email);
  expect(`${again!.subject}${again!.text}`).not.toMatch(/Eve|Bcc|HYPERLINK/);
  expect(await byToken(site, "find_membership", again!.token)).toMatchObject({
    name: "Ada Lovelace",
    state: "confirmed",
    pending: { name: "Eve Bcc: all@firm.example =HYPERLINK(1)" },
  });
});

it("reminds a person who has not confirmed once, and asks a member to stay after two years", async () => {
  const [silent, member] = [newPerson(), newPerson()];
  await askToJoin(silent);
  await askToJoin(member);
  await site.finishBackgroundWork();
  const token = mailServer.received
    .filter(({ recipients }) => recipients.includes(member))
    .map(({ content }) => /network\?token=([\w-]{64})/.exec(content.text ?? "")?.[1])
    .find((found) => found !== undefined);
  await byToken(site, "confirm_membership", token!);
  mailServer.received.length = 0;
  await site.deliver();
  expect([...(await takeLinks(silent)), ...(await takeLinks(member))]).toEqual([]);

  await ageMember(site, silent, "asked_at", "3 days 1 minute");
  await site.deliver();
  await site.deliver();
  const [reminder, ...others] = await takeLinks(silent);
  expect([reminder!.subject, others]).toEqual(["Still to confirm: the investor network of firm.example", []]);
  expect(reminder!.text).toContain(`${networkPeriods.confirmDays} days`);
  expect(await byToken(site, "confirm_membership", reminder!.token)).toMatchObject({ state: "confirmed" });

  await ageMember(site, member, "renewed_at, confirmed_at, asked_at", `${networkPeriods.renewalMonths} months 1 day`);
  await site.deliver();
  await site.deliver();
  const [renewal, ...more] = await takeLinks(member);
  expect([renewal!.subject, more]).toEqual(["Do you want to stay in the investor network of firm.example?", []]);
  expect(renewal!.text).toContain(`in ${networkPeriods.renewalDays} days`);
  await byToken(site, "confirm_membership", renewal!.token);
  expect((await readMemberActions(site, member)).slice(-2)).toEqual(["system renewal-asked", "member renewed"]);
  expect(site.events.filter(({ event }) => event === "network-mails-not-queued")).toEqual([]);
});

it("mails a lost link to members only, and answers every address alike", async () => {
  const [member, stranger] = [newPerson(), newPerson()];
  await askToJoin(member);
  const [first] = await takeLinks(member);
  await byToken(site, "confirm_membership", first!.token);
  await ageLinks(site, member);
  const ask = async (email: unknown) => {
    const response = await site.call("network-link", { email });
    return [response.status, await response.json()];
  };
  expect(await ask(member.toUpperCase())).toEqual(await ask(stranger));
  const [link, ...others] = await takeLinks(member);
  expect([link!.subject, others]).toEqual(["Your link to the investor network of firm.example", []]);
  expect(await byToken(site, "find_membership", link!.token)).toMatchObject({ email: member });
  expect(await byToken(site, "find_membership", first!.token)).toBeNull();
  expect(await takeLinks(stranger)).toEqual([]);
  // Within ten minutes.
  expect(await ask(member)).toEqual([200, { ok: true }]);
  expect(await takeLinks(member)).toEqual([]);
  // A letter's holder gets the same answer, and the link goes to the member.
  const other = newPerson();
  await askToJoin(other);
  await byToken(site, "confirm_membership", (await takeLinks(other))[0]!.token);
  await ageLinks(site, other);
  const letter = await tokenOf(site, other, "letter");
  const askByLetter = async (token: unknown) => {
    const response = await site.call("network-link", { token });
    return [response.status, await response.json()];
  };
  expect(await askByLetter("A".repeat(64))).toEqual(await askByLetter(letter));
  expect(await takeLinks(other)).toHaveLength(1);
  expect(await askByLetter("x")).toEqual([400, { error: "invalid" }]);
  for (const email of ["", "x", 5, null]) expect(await ask(email)).toEqual([400, { error: "invalid" }]);
  expect((await site.call("network-link", undefined, { method: "GET" })).status).toBe(405);
});

it("lets a link that waits for the hourly limit go in its turn, and logs why it waits or was refused", async () => {
  site.settings.ACKNOWLEDGEMENTS_PER_HOUR = "1";
  await site.exec("delete from private.rate_limits");
  const headers = { "x-client-code": "c".repeat(43) };
  const askFrom = async (email: string) => {
    const response = await site.call("send-contact-email", newMessage({ email, network }), { headers });
    return [response.status, await response.json()];
  };
  expect(await askFrom(newPerson())).toEqual([200, { ok: true }]);
  const waiting = newPerson();
  expect(await askFrom(waiting)).toEqual([200, { ok: true, hours: 1 }]);
  for (let n = 0; n < 4; n += 1) await askFrom(newPerson());
  expect(await askFrom(newPerson())).toEqual([429, { error: "line-full" }]);
  await site.deliver();
  expect(await takeLinks(waiting)).toEqual([]);
  await site.exec("update private.rate_limits set resets_at = now() where key = 'all:network'");
  await site.deliver();
  expect(await takeLinks(waiting)).toHaveLength(1);
  const reasons = site.events.filter(({ event, kind }) => event === "mail-withheld" && kind === "network");
  expect(reasons.map(({ reason }) => reason).slice(-6)).toEqual([...Array<string>(5).fill("waits"), "line-full"]);
  await site.exec("delete from private.email_outbox where line is not null");
  site.settings.ACKNOWLEDGEMENTS_PER_HOUR = "0";
});

it("accepts 20 unsigned requests for a link an hour", async () => {
  const statuses = await Promise.all(
    Array.from({ length: 22 }, async () => (await site.callUnsigned("network-link", { email: newPerson() })).status),
  );
  expect(statuses.toSorted()).toEqual([...Array<number>(20).fill(200), 429, 429]);
});

it("needs the site's address, without which a mail could contain no link", async () => {
  const { SITE_URL, ...settings } = site.settings;
  site.settings.SITE_URL = undefined;
  expect((await askToJoin(newPerson())).status).toBe(503);
  expect((await site.call("network-link", { email: newPerson() })).status).toBe(503);
  Object.assign(site.settings, settings, { SITE_URL });
});

it("names the periods of the privacy policy in the mails", () => {
  expect(networkPeriods).toMatchObject(networkMailPeriods);
});
