import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { addMembers, clearNetwork, findLetter, passHour, sendLetter } from "../../database/support/letters.ts";
import { findMember } from "../../database/support/network.ts";
import { isEverything } from "../../support/everything.ts";
import { signInAdmin } from "../../database/support/test-backend.ts";
import { startFetchServer } from "../../support/stack/fetch-server.ts";
import { headerOf, type MailServer } from "../support/mail-server.ts";
import { newMessage, type Site } from "../support/site.ts";
import { startSiteWithMail } from "../support/site-with-mail.ts";

let site: Site;
let mailServer: MailServer;
let admin: SupabaseClient;
beforeAll(async () => {
  ({ site, mailServer } = await startSiteWithMail());
  admin = site.client((await signInAdmin(site)).token);
});
beforeEach(async () => {
  await clearNetwork(site);
  delete site.settings.NETWORK_MAILS_PER_HOUR;
  mailServer.received.length = 0;
  site.events.length = 0;
});
afterAll(() => site?.close());

const toMembers = () => mailServer.received.filter(({ recipients }) => recipients[0]?.endsWith("@fund.example"));
const addresses = () => toMembers().map(({ recipients }) => recipients[0]!);

/** Runs the timer's call once, and waits for the letters that follow. */
async function run() {
  await site.deliver();
  await site.finishBackgroundWork();
}

/** Runs the timer, a minute apart, until no more mail goes out. */
async function runUntilQuiet() {
  for (let before = -1; before < mailServer.received.length;) {
    before = mailServer.received.length;
    await run();
    await site.sql("update private.email_outbox set attempted_at = attempted_at - interval '1 minute'");
  }
}

const tokenOf = (content: (typeof mailServer.received)[number]["content"]) =>
  /^<https:\/\/firm\.example\/network\/stop\?token=([\w-]{64})>$/.exec(
    headerOf(content, "list-unsubscribe") ?? "",
  )?.[1];

/** Members, and mails an hour: in `npm run verify` the default. */
const [members, perHour] = isEverything ? [300, 200] : [9, 6];

it(`mails a letter to ${members} members, each once, at ${perHour} an hour`, async () => {
  await addMembers(site, "each", members);
  if (!isEverything) site.settings.NETWORK_MAILS_PER_HOUR = String(perHour);
  const { id, count } = await sendLetter(admin);
  expect(count).toBe(members);
  await runUntilQuiet();
  expect(toMembers()).toHaveLength(perHour);
  const inHour = { state: "sending", delivered: perHour, waiting: members - perHour, queued: 0 };
  expect(await findLetter(admin, id)).toMatchObject(inHour);
  await passHour(site);
  await runUntilQuiet();
  expect(toMembers()).toHaveLength(members);
  expect(new Set(addresses()).size).toBe(members);
  const all = { state: "sent", delivered: members, waiting: 0, to_count: members };
  expect(await findLetter(admin, id)).toMatchObject(all);
  await passHour(site);
  await runUntilQuiet();
  expect(toMembers()).toHaveLength(members);

  const tokens = toMembers().map(({ content }) => tokenOf(content));
  expect(new Set(tokens).size).toBe(members);
  expect(tokens).not.toContain(undefined);
  const [{ content }] = toMembers() as [(typeof mailServer.received)[number]];
  expect(headerOf(content, "list-id")).toBe("<network.firm.example>");
  expect(headerOf(content, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  // RFC 3834 reserves it for mail that no person wrote.
  expect(headerOf(content, "auto-submitted")).toBeUndefined();
  expect(content.text).toMatch(/^Dear Member,/);
  expect(content.text).toContain("Hale & Co\n1 Main Street, Salem, Oregon");
  expect(content.text).toContain(`https://firm.example/network/mail?token=${tokenOf(content)}`);
  expect(content.html).toBeUndefined();
  // Nothing of a letter or a member is logged.
  expect(JSON.stringify(site.events)).not.toMatch(/fund\.example|Member|clinic|token/);
  const [kept] = await site.sql<{ links: number }>(
    "select count(*)::int as links from private.email_outbox where body || closing ~ 'token='",
  );
  expect(kept).toEqual({ links: 0 });
});

it("delays no other mail, even while a member's mail server hangs", async () => {
  await addMembers(site, "hang", 1);
  await sendLetter(admin);
  mailServer.hang(true, "hang-1@fund.example");
  await site.deliver();
  await expect
    .poll(
      async () => (await site.sql("select 1 as ok from private.email_outbox where leased_until is not null")).length,
    )
    .toBe(1);
  expect((await site.call("send-contact-email", newMessage())).status).toBe(200);
  await site.deliver();
  const others = () =>
    mailServer.received.map(({ recipients }) => recipients[0]).filter((to) => !to?.endsWith("@fund.example"));
  await expect.poll(() => others().includes("ada@example.com")).toBe(true);
  expect(toMembers()).toEqual([]);
  expect(mailServer.hang(false)).toBe(1);
  await site.finishBackgroundWork();
  await site.skipPauses();
  await run();
  expect(addresses()).toEqual(["hang-1@fund.example"]);
});

it("sends no more than an hour's mails at once after the mail server was away for hours", async () => {
  await addMembers(site, "away", 5);
  site.settings.NETWORK_MAILS_PER_HOUR = "2";
  await sendLetter(admin);
  await run();
  await clearNetworkTrial();
  mailServer.refuse("everybody", 451);
  for (let hour = 0; hour < 3; hour += 1) {
    await site.sql(
      "update private.letter_recipients set queued_at = queued_at - interval '61 minutes' where queued_at is not null",
    );
    await site.skipPauses();
    await run();
  }
  mailServer.refuse("everybody", null);
  mailServer.received.length = 0;
  await site.skipPauses();
  await runUntilQuiet();
  expect(toMembers().length).toBeLessThanOrEqual(2);
  for (let hour = 0; hour < 3; hour += 1) {
    await passHour(site);
    await runUntilQuiet();
  }
  expect(new Set(addresses()).size).toBe(addresses().length);
});

/** Deletes what is not to a member, so that it holds up no letter. */
async function clearNetworkTrial() {
  await site.sql("delete from private.email_outbox where kind = 'letter-trial'");
}

it("reaches members with the longest names, in a subject and a text of full length", async () => {
  await addMembers(site, "short", 1);
  await addMembers(site, "long", 2);
  const longest = "\u{1f600}".repeat(100);
  await site.sql("update public.network_members set name = $1 where email like 'long-%' returning 1 as ok", [longest]);
  const subject = `For {name}: ${"s".repeat(188)}`;
  const body = `${"{name} ".repeat(20)}${"k".repeat(19_860)}`;
  const { id } = await sendLetter(admin, { subject, body });
  await runUntilQuiet();
  expect(await findLetter(admin, id)).toMatchObject({ state: "sent", delivered: 3 });
  const subjects = new Set(toMembers().map(({ content }) => content.subject));
  expect(subjects).toEqual(new Set([`For Member: ${"s".repeat(188)}`, `For ${longest}: ${"s".repeat(93)}…`]));
});

it("stops in the middle", async () => {
  await addMembers(site, "stop", 6);
  site.settings.NETWORK_MAILS_PER_HOUR = "4";
  const { id } = await sendLetter(admin);
  await run();
  const sent = toMembers().length;
  expect(sent).toBe(4);
  expect((await admin.rpc("stop_letter", { letter_id: id })).data).toBe(sent);
  await passHour(site);
  await runUntilQuiet();
  expect(toMembers()).toHaveLength(sent);
  expect(await findLetter(admin, id)).toMatchObject({ state: "stopped", delivered: sent, to_count: 6 });
});

it("stops for one member by the token in the header, while letters are being sent", async () => {
  await addMembers(site, "click", 6);
  site.settings.NETWORK_MAILS_PER_HOUR = "8";
  await sendLetter(admin, { subject: "First" });
  await sendLetter(admin, { subject: "Second" });
  await run();
  const second = new Set(
    toMembers()
      .filter(({ content }) => content.subject === "Second")
      .map(({ recipients }) => recipients[0]),
  );
  const stopped = toMembers().find(({ recipients }) => !second.has(recipients[0]))!;
  await site
    .client()
    .rpc("unsubscribe_member", { token: tokenOf(stopped.content) })
    .throwOnError();
  await passHour(site);
  await runUntilQuiet();
  const got = (address: string) =>
    toMembers()
      .filter(({ recipients }) => recipients[0] === address)
      .map(({ content }) => content.subject);
  expect(got(stopped.recipients[0]!)).toEqual(["First"]);
  expect(toMembers()).toHaveLength(2 * 6 - 1);
});

it("pauses a member whose mailbox alone refuses a letter, and mails the others", async () => {
  await addMembers(site, "refuse", 6);
  mailServer.refuse("refuse-3@fund.example", 550);
  const { id } = await sendLetter(admin);
  await runUntilQuiet();
  mailServer.refuse("refuse-3@fund.example", null);
  expect(addresses()).toHaveLength(5);
  expect(await findLetter(admin, id)).toMatchObject({ state: "sent", delivered: 5, refused: 1 });
  const member = await findMember(site, "refuse-3@fund.example");
  expect(member).toMatchObject({ pause_reason: expect.stringMatching(/^smtp-/), paused_at: expect.any(String) });
  expect((await sendLetter(admin)).count).toBe(5);
});

it("carries 20,000 characters, right-to-left text, and a name that looks like a placeholder", async () => {
  await addMembers(site, "long", 1);
  await site.sql("update public.network_members set name = $1", ["{name}$&Ltd"]);
  const arabic = "عيادة تجمع جولتها الأولى";
  const start = `Dear {name},\n\n${arabic}\n\n`;
  const body = `${start}${"x".repeat(20_000 - start.length)}`;
  await sendLetter(admin, { subject: `${arabic} {name}`, body });
  await runUntilQuiet();
  const [letter] = toMembers();
  expect(letter!.content.subject).toBe(`${arabic} {name}$&Ltd`);
  expect(letter!.content.text).toContain(body.replace("{name}", () => "{name}$&Ltd"));
  expect(tokenOf(letter!.content)).toBeDefined();
});

it("takes the token of the added link, not of one that the letter quotes", async () => {
  await addMembers(site, "quote", 1);
  const quoted = "Q".repeat(64);
  const link = `https://firm.example/network/mail?token=${quoted}`;
  await sendLetter(admin, { body: `See ${link}\n${link}` });
  await runUntilQuiet();
  const token = tokenOf(toMembers()[0]!.content);
  expect(token).not.toBe(quoted);
  expect((await site.client().rpc("unsubscribe_member", { token })).data).toBe(true);
});

it("mails a trial to the admin without the headers of a list", async () => {
  await addMembers(site, "trial", 1);
  await sendLetter(admin);
  await site.deliver();
  const [trial] = mailServer.received.filter(({ recipients }) => !recipients[0]!.endsWith("@fund.example"));
  expect(trial!.content.text).toContain("Dear Ada,");
  for (const name of ["list-id", "list-unsubscribe", "list-unsubscribe-post"])
    expect(headerOf(trial!.content, name)).toBeUndefined();
});

it("passes the headers to Resend as well", async () => {
  const posted: { headers: Record<string, string> }[] = [];
  const resend = await startFetchServer(async (_path, { body }) => {
    posted.push((await new Response(body).json()) as (typeof posted)[number]);
    return Response.json({ id: "1" });
  });
  Object.assign(site.settings, { RESEND_API_KEY: "re_test", RESEND_API_URL: `${resend.url}/emails` });
  await addMembers(site, "resend", 1);
  await sendLetter(admin);
  await run();
  Object.assign(site.settings, { RESEND_API_KEY: undefined, RESEND_API_URL: undefined });
  resend.close();
  expect(posted.map(({ headers }) => headers)).toContainEqual(
    expect.objectContaining({
      "List-Id": "<network.firm.example>",
      "List-Unsubscribe": expect.stringMatching(/^<https:\/\/firm\.example\/network\/stop\?token=[\w-]{64}>$/),
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }),
  );
});
