import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { MailServer } from "../support/mail-server.ts";
import { startSiteWithMail } from "../support/site-with-mail.ts";
import { newMessage, newRequest, type Site } from "../support/site.ts";

let site: Site;
let mailServer: MailServer;

beforeAll(async () => {
  ({ site, mailServer } = await startSiteWithMail());
});
afterEach(async () => {
  await site.sql("drop trigger if exists refuse on private.email_outbox");
  await site.sql("delete from private.email_outbox; delete from public.contact_submissions");
  mailServer.received.length = 0;
  site.events.length = 0;
});
afterAll(() => site?.close());

/** Makes the database reject writes of mails that match a condition. */
async function rejectMails(when: "insert" | "update", condition: string): Promise<void> {
  await site.sql(`
    create or replace function private.refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused' using errcode = '23514'; end $$;
    create trigger refuse before ${when} on private.email_outbox for each row when (${condition})
      execute function private.refuse()`);
}

const receivers = () => mailServer.received.flatMap(({ recipients }) => recipients);
const subjects = () => mailServer.received.map(({ content }) => content.subject ?? "");
const findEvents = (event: string) => site.events.filter((line) => line.event === event);

it("queues the other reminders when the database rejects one", async () => {
  const people = Array.from({ length: 12 }, (_, n) => `person-${n}@example.com`);
  for (const email of people) await site.call("receive-data-rights-request", newRequest({ email }));
  await site.finishBackgroundWork();
  mailServer.received.length = 0;
  await rejectMails("insert", "new.recipient in ('person-3@example.com', 'person-7@example.com')");
  await site.sql("update public.data_rights_requests set received_at = now() - interval '20 days'");
  await site.deliver();
  const others = people.filter((person) => !/-[37]@/.test(person));
  expect(receivers().toSorted()).toEqual(others.toSorted());
  expect(findEvents("reminders-not-queued")).toEqual([{ event: "reminders-not-queued", code: "23514", count: 2 }]);
  // No reminder is due in the tests below.
  await site.sql("update public.data_rights_requests set last_reminder = 'unconfirmed', last_reminder_at = now()");
});

it("delivers other account mails when the database rejects many", async () => {
  const { id, token, email } = await site.signIn();
  await rejectMails("insert", "new.subject like 'Your password%'");
  await site.sql(
    "insert into private.account_events (user_id, kind, is_mail_due) select $1, 'password-changed', true from generate_series(1, 25)",
    [id],
  );
  const call = { device: "Safari on iPhone", is_new_device: true };
  await site.client(token).rpc("record_sign_in", call).throwOnError();
  for (let run = 0; run < 40 && receivers().length === 0; run += 1) await site.deliver();
  expect(receivers()).toEqual([email]);
  expect(findEvents("account-mails-not-queued")[0]).toMatchObject({ code: "23514" });
  await site.sql("delete from private.account_events");
});

it("queues the other notices and the digest when the database rejects one notice", async () => {
  for (const name of ["Ada", "Bob", "Cleo"]) await site.call("send-contact-email", newMessage({ name }));
  await site.finishBackgroundWork();
  mailServer.received.length = 0;
  await site.sql("update public.contact_submissions set answer_due_at = now() - interval '1 hour'");
  const [ada] = await site.sql<{ id: string }>("select id from public.contact_submissions where name = 'Ada'");
  await rejectMails("insert", `new.submission_id = '${ada!.id}'`);
  await site.sql("delete from private.digests");
  // The digest is due only on working mornings, which the current time may not be.
  const [{ due } = { due: false }] = await site.sql<{ due: boolean }>(
    "select extract(isodow from now()) < 6 and extract(hour from now()) >= 7 as due",
  );
  await site.deliver();
  expect(subjects().filter((subject) => subject.startsWith("Late"))).toHaveLength(2);
  expect(await site.sql("select 1 from private.digests")).toHaveLength(due ? 1 : 0);
  expect(findEvents("firm-notices-not-queued")).toEqual([
    { event: "firm-notices-not-queued", code: "23514", count: 1 },
  ]);
  await site.sql("insert into private.digests (day) values ('infinity')");
});

it("settles the other mails of a batch when the database rejects one result", async () => {
  site.settings.SMTP_URL = undefined;
  for (const email of ["one@example.com", "two@example.com"])
    await site.call("send-contact-email", newMessage({ email }));
  await site.finishBackgroundWork();
  await rejectMails("update", "new.recipient = 'one@example.com' and new.leased_until is null");
  site.settings.SMTP_URL = mailServer.url;
  await site.sql(
    "update private.email_outbox set next_attempt_at = now() where recipient is distinct from 'one@example.com'",
  );
  await site.sql("alter table private.email_outbox disable trigger refuse");
  await site.skipPauses();
  await site.sql("alter table private.email_outbox enable trigger refuse");
  const report = await site.deliver();
  expect(report.remaining).toBe(1);
  expect(await site.sql("select recipient from private.email_outbox where delivered_at is null")).toEqual([
    { recipient: "one@example.com" },
  ]);
  expect(findEvents("mail-not-settled")).toMatchObject([{ code: "23514" }]);
});
