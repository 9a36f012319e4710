import { afterAll, beforeAll, expect, it } from "vitest";
import type { MailServer } from "../support/mail-server.ts";
import { startSiteWithMail } from "../support/site-with-mail.ts";
import type { Site } from "../support/site.ts";

let site: Site;
let mailServer: MailServer;

beforeAll(async () => {
  ({ site, mailServer } = await startSiteWithMail());
});
afterAll(() => site?.close());

it("notifies an account's owner of a changed password, once, and deletes the mail", async () => {
  const { id, email } = await site.signIn();
  await site.sql("update auth.users set encrypted_password = 'another' where id = $1", [id]);
  await site.sql("update private.account_events set at = '2026-11-22T19:05:00Z' where user_id = $1", [id]);
  await site.deliver();
  await site.deliver();
  const [mail, ...others] = mailServer.received.filter(({ recipients }) => recipients.includes(email));
  expect(others).toEqual([]);
  expect(mail?.content.subject).toBe("Your password for the admin area of firm.example was changed");
  expect(mail?.content.text).toContain("was changed on November 22, 2026 at 7:05 PM UTC.");
  expect(mail?.content.text).toContain("All other sessions of your account have ended.");
  expect(await site.sql("select 1 from private.email_outbox where recipient = $1", [email])).toEqual([]);
});

it("notifies an account's owner of a sign-in from a new device", async () => {
  const { token, email } = await site.signIn();
  const call = { device: "Safari on iPhone", is_new_device: true };
  await site.client(token).rpc("record_sign_in", call).throwOnError();
  await site.deliver();
  const mails = mailServer.received.filter(({ recipients }) => recipients.includes(email));
  expect(mails.map(({ content }) => content.subject)).toEqual([
    "New device signed in to the admin area of firm.example",
  ]);
  expect(mails[0]?.content.text).toMatch(
    /^Device: Safari on iPhone\nTime: [A-Z][a-z]+ \d+, \d{4} at \d+:\d\d [AP]M UTC$/m,
  );
  expect(mails[0]?.content.text).not.toMatch(/https?:/);
});

it.each([
  ["factor-on", "Two-step verification set up", "reset your two-step verification"],
  ["factor-off", "Two-step verification turned off", "reset your two-step verification"],
  ["recovery-code", "Recovery code used", "create new ones"],
  ["wrong-codes", "Five wrong codes", "change your password right away"],
])("notifies an account's owner of the second factor event %s", async (kind, subject, advice) => {
  const { id, email } = await site.signIn();
  await site.sql(`select private.note_account_event($1, $2)::text`, [id, kind]);
  await site.deliver();
  const [mail, ...others] = mailServer.received.filter(({ recipients }) => recipients.includes(email));
  expect(others).toEqual([]);
  expect(mail?.content.subject).toBe(`${subject} for the admin area of firm.example`);
  expect(mail?.content.text).toMatch(/^Time: [A-Z][a-z]+ \d+, \d{4} at \d+:\d\d [AP]M UTC$/m);
  expect(mail?.content.text).toContain(advice);
  expect(mail?.content.text).not.toMatch(/https?:/);
});

it("delivers other mail when account mails fail, and logs the failure", async () => {
  await site.sql("alter function public.list_due_account_mails() rename to list_due_account_mails_away");
  expect((await site.deliver()).remaining).toBe(0);
  expect(site.events.map(({ event }) => event)).toContain("account-mails-not-queued");
  await site.sql("alter function public.list_due_account_mails_away() rename to list_due_account_mails");
});
