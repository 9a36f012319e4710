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
  await site.sql("delete from private.email_outbox");
  mailServer.received.length = 0;
  site.events.length = 0;
});
afterAll(() => site?.close());

/** Has the database refuse to write the mails for which a condition holds. */
async function refuseMails(when: "insert" | "update", condition: string): Promise<void> {
  await site.sql(`
    create or replace function private.refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused' using errcode = '23514'; end $$;
    create trigger refuse before ${when} on private.email_outbox for each row when (${condition})
      execute function private.refuse()`);
}

const receivers = () => mailServer.received.flatMap(({ recipients }) => recipients);
const subjects = () => mailServer.received.map(({ content }) => content.subject ?? "");
const logged = (event: string) => site.events.filter((line) => line.event === event);

it("a reminder that the database refuses holds up none of the others", async () => {
  const people = Array.from({ length: 12 }, (_, n) => `person-${n}@example.com`);
  for (const email of people) await site.call("receive-data-rights-request", newRequest({ email }));
  await site.finishBackgroundWork();
  mailServer.received.length = 0;
  await refuseMails("insert", "new.recipient in ('person-3@example.com', 'person-7@example.com')");
  await site.sql("update public.data_rights_requests set received_at = now() - interval '20 days'");
  await site.deliver();
  const others = people.filter((person) => !/-[37]@/.test(person));
  expect(receivers().toSorted()).toEqual(others.toSorted());
  expect(logged("reminders-not-queued")).toEqual([{ event: "reminders-not-queued", code: "23514", count: 2 }]);
  // They are owed nothing in the tests below.
  await site.sql("update public.data_rights_requests set last_reminder = 'unconfirmed', last_reminder_at = now()");
});

it("mails about an account that the database refuses, however many, hold up none of the others", async () => {
  const { id, token, email } = await site.signIn();
  await refuseMails("insert", "new.subject like 'Your password%'");
  await site.sql(
    "insert into private.account_events (user_id, kind, is_mail_due) select $1, 'password-changed', true from generate_series(1, 25)",
    [id],
  );
  const call = { device: "Safari on iPhone", is_new_device: true };
  await site.client(token).rpc("record_sign_in", call).throwOnError();
  for (let run = 0; run < 40 && receivers().length === 0; run += 1) await site.deliver();
  expect(receivers()).toEqual([email]);
  expect(logged("account-mails-not-queued")[0]).toMatchObject({ code: "23514" });
  await site.sql("delete from private.account_events");
});

it("a notice to the firm that is refused holds up neither the others nor the digest", async () => {
  for (const name of ["Ada", "Bob", "Cleo"]) await site.call("send-contact-email", newMessage({ name }));
  await site.finishBackgroundWork();
  mailServer.received.length = 0;
  await site.sql("update public.contact_submissions set answer_due_at = now() - interval '1 hour'");
  const [ada] = await site.sql<{ id: string }>("select id from public.contact_submissions where name = 'Ada'");
  await refuseMails("insert", `new.submission_id = '${ada!.id}'`);
  await site.sql("delete from private.digests");
  // A digest is due on working mornings only, which this day may not be.
  const [{ due } = { due: false }] = await site.sql<{ due: boolean }>(
    "select extract(isodow from now()) < 6 and extract(hour from now()) >= 7 as due",
  );
  await site.deliver();
  expect(subjects().filter((subject) => subject.startsWith("Late"))).toHaveLength(2);
  expect(await site.sql("select 1 from private.digests")).toHaveLength(due ? 1 : 0);
  expect(logged("firm-notices-not-queued")).toEqual([{ event: "firm-notices-not-queued", code: "23514", count: 1 }]);
  await site.sql("insert into private.digests (day) values ('infinity')");
});

it("a mail whose end the database refuses to store holds up none of those that were sent with it", async () => {
  site.settings.SMTP_URL = undefined;
  for (const email of ["one@example.com", "two@example.com"])
    await site.call("send-contact-email", newMessage({ email }));
  await site.finishBackgroundWork();
  await refuseMails("update", "new.recipient = 'one@example.com' and new.leased_until is null");
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
  expect(logged("mail-not-settled")).toMatchObject([{ code: "23514" }]);
});
