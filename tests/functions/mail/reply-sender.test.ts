import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signInAdmin } from "../../database/support/test-backend.ts";
import { newMessage } from "../support/site.ts";
import { startSiteWithMail } from "../support/site-with-mail.ts";

let started: Awaited<ReturnType<typeof startSiteWithMail>>;
let admin: SupabaseClient;

beforeAll(async () => {
  started = await startSiteWithMail();
  admin = started.site.client((await signInAdmin(started.site)).token);
});
afterAll(() => started?.site.close());

/** Replies to a new message under these settings. @returns the sender of the reply and of the acknowledgement */
async function reply(name: string, mailFrom: string) {
  const { site, mailServer } = started;
  site.settings.MAIL_FROM = mailFrom;
  site.settings.FIRM_NAME = "Hale & Co";
  const message = newMessage({ email: `${randomUUID()}@example.com` });
  await site.call("send-contact-email", message);
  await admin.rpc("save_own_name", { name, signature: "" }).throwOnError();
  const [row] = await site.sql<{ id: string }>("select id from public.contact_submissions where message = $1", [
    message.message,
  ]);
  const mail = { subject: "Re: x", quotation: "> x" };
  const parameters = { submission_id: row!.id, reply_id: randomUUID(), reply: "We can.", mail };
  await admin.rpc("send_reply", parameters).throwOnError();
  await site.finishBackgroundWork();
  await site.deliver();
  const received = mailServer.received.filter(({ recipients }) => recipients.includes(message.email));
  return received
    .map(({ content }) => ({ subject: content.subject, from: content.from }))
    .toSorted((one, two) => (two.subject ?? "").localeCompare(one.subject ?? ""));
}

it.each([
  ["Ada Hale", "Firm <web@firm.example>", "Ada Hale, Firm", "Firm"],
  ["Ada Hale", "web@firm.example", "Ada Hale, Hale & Co", "Hale & Co"],
  ['Ada "Ace" <x@y.example>, Dr.', "Firm <web@firm.example>", 'Ada "Ace" <x@y.example>, Dr., Firm', "Firm"],
  ["王小明", "Firm <web@firm.example>", "王小明, Firm", "Firm"],
  ["Firm", "Firm <web@firm.example>", "Firm", "Firm"],
  ["", "Firm <web@firm.example>", "Firm", "Firm"],
])("names the admin %j as the sender of a reply from %s, and only there", async (name, mailFrom, ofReply, ofOthers) => {
  const address = "web@firm.example";
  expect(await reply(name, mailFrom)).toEqual([
    { subject: "Your message to Hale & Co", from: { name: ofOthers, address } },
    { subject: "Re: Your message to Hale & Co", from: { name: ofReply, address } },
  ]);
});
