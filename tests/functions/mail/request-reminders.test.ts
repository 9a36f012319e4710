import { afterAll, beforeAll, expect, it } from "vitest";
import { retention } from "~/content/facts";
import type { MailServer } from "../support/mail-server.ts";
import { newRequest, type Site } from "../support/site.ts";
import { startSiteWithMail } from "../support/site-with-mail.ts";

let site: Site;
let mailServer: MailServer;

beforeAll(async () => {
  ({ site, mailServer } = await startSiteWithMail());
});
afterAll(() => site?.close());

/** Returns and clears the mails received for this address. */
async function takeMails(address: string) {
  await site.finishBackgroundWork();
  const mails = mailServer.received.filter(({ recipients }) => recipients.includes(address));
  mailServer.received.length = 0;
  return mails.map(({ content }) => ({ subject: content.subject ?? "", text: content.text ?? "" }));
}

const tokenIn = (text: string) => /\/data-rights\/confirm\?token=([\w-]{43})/.exec(text)?.[1];

const firm = "hello@firm.example";
const person = "ada@example.com";

it("reminds the requester once, then the firm: confirmed, due in 7 days, due in 2 days", async () => {
  await site.call("receive-data-rights-request", newRequest());
  const [first] = await takeMails(person);
  await site.deliver();
  expect(await takeMails(person)).toEqual([]);

  await site.sql("update public.data_rights_requests set received_at = now() - interval '20 days'");
  await site.deliver();
  await site.deliver();
  const [again, ...others] = await takeMails(person);
  expect(others).toEqual([]);
  expect(again!.subject).toContain("still needs your confirmation");
  expect(again!.text).toContain(`we will delete it ${retention.unconfirmedRequestDays} days after`);
  expect(again!.text).toContain("complain to a data protection authority");
  expect(again!.text).not.toMatch(/\{\{|Ada|hold about me/);
  const token = tokenIn(again!.text);
  expect(token).not.toBe(tokenIn(first!.text));

  const confirmed = await site.client().rpc("confirm_data_rights_request", { token }).throwOnError();
  const [{ reference }] = confirmed.data as [{ reference: string }];
  const toFirm: string[] = [];
  for (const days of [20, 7, 5, 2, 0]) {
    await site.sql(`update public.data_rights_requests set due_on = (now() at time zone 'UTC')::date + ${days}`);
    await site.deliver();
    for (const { subject, text } of await takeMails(firm)) {
      toFirm.push(subject.split(/ is /)[0]!);
      expect(text).toContain("https://firm.example/admin/requests/");
      expect(text).not.toMatch(/\{\{|Ada|ada@|hold about me/);
    }
  }
  const reminder = `Reminder: data rights request ${reference}`;
  expect(toFirm).toEqual([`Data rights request ${reference}`, reminder, reminder]);
  expect(site.events.filter(({ event }) => event === "reminders-not-queued")).toEqual([]);
});

it("delivers other mail when reminders fail, and logs the failure", async () => {
  await site.sql("alter function public.list_due_reminders() rename to list_due_reminders_away");
  await site.call("receive-data-rights-request", newRequest({ email: "grace@example.com" }));
  await site.finishBackgroundWork();
  expect((await site.deliver()).remaining).toBe(0);
  expect(site.events.map(({ event }) => event)).toContain("reminders-not-queued");
  await site.sql("alter function public.list_due_reminders_away() rename to list_due_reminders");
});
