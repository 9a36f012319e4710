import { afterEach, expect, it } from "vitest";
import { newMessage } from "../support/site.ts";
import { useWorld } from "../support/world.ts";

const world = useWorld();
afterEach(() => world.sql("drop trigger if exists refuse on private.email_outbox"));

/** Makes the database reject writes of mails that match a condition. */
async function rejectMails(when: "insert" | "update", condition: string): Promise<void> {
  await world.sql(`
    create or replace function private.refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused' using errcode = '23514'; end $$;
    create trigger refuse before ${when} on private.email_outbox for each row when (${condition})
      execute function private.refuse()`);
}

/** Receives a message from each address, whose mails then wait, because there was no mail server. */
async function receiveUnsent(...emails: string[]) {
  delete world.settings.SMTP_URL;
  for (const email of emails) await world.call("send-contact-email", newMessage({ email }));
  await world.finishBackgroundWork();
  world.settings.SMTP_URL = world.mailServer.url;
  await world.skipPauses();
}

const receivers = () => world.mailServer.received.flatMap(({ recipients }) => recipients);
const findEvents = (event: string) => world.events.filter((line) => line.event === event);

it.each([
  ["reminders-not-queued", "list_due_reminders"],
  ["account-mails-not-queued", "list_due_account_mails"],
  ["network-mails-not-queued", "list_due_network_mails"],
  ["trouble-mails-not-queued", "list_due_trouble_mails"],
])("delivers other mail and logs %s when the database cannot list them", async (event, name) => {
  await receiveUnsent("ada@example.com");
  await world.sql(`alter function public.${name} rename to away`);
  expect(await world.deliver()).toEqual({ delivered: 2, failed: 0, remaining: 0 });
  await world.sql(`alter function public.away rename to ${name}`);
  expect(findEvents(event)).toHaveLength(1);
});

it("delivers other account mails when the database rejects many", async () => {
  const { id, token, email } = await world.signIn();
  await rejectMails("insert", "new.subject like 'Your password%'");
  await world.sql(
    "insert into private.account_events (user_id, kind, is_mail_due) select $1, 'password-changed', true from generate_series(1, 25)",
    [id],
  );
  const call = { device: "Safari on iPhone", is_new_device: true };
  await world.client(token).rpc("record_sign_in", call).throwOnError();
  for (let run = 0; run < 40 && receivers().length === 0; run += 1) await world.deliver();
  expect(receivers()).toEqual([email]);
  expect(findEvents("account-mails-not-queued")[0]).toMatchObject({ code: "23514" });
  await world.sql("delete from private.account_events");
});

it("queues the other notices when the database rejects one", async () => {
  const [ada] = [await world.receive(), await world.receive(), await world.receive()];
  world.mailServer.received.length = 0;
  await world.sql("update public.contact_submissions set answer_due_at = now() - interval '1 hour'");
  await rejectMails("insert", `new.submission_id = '${ada}'`);
  await world.deliver();
  const late = world.mailServer.received.filter(({ content }) => content.subject?.startsWith("Late"));
  expect(late).toHaveLength(2);
  expect(findEvents("firm-notices-not-queued")).toEqual([
    { event: "firm-notices-not-queued", code: "23514", count: 1 },
  ]);
});

it("settles the other mails of a batch when the database rejects one result", async () => {
  await receiveUnsent("one@example.com", "two@example.com");
  await rejectMails("update", "new.recipient = 'one@example.com' and new.leased_until is null");
  expect((await world.deliver()).remaining).toBe(1);
  expect(await world.sql("select recipient from private.email_outbox where delivered_at is null")).toEqual([
    { recipient: "one@example.com" },
  ]);
  expect(findEvents("mail-not-settled")).toMatchObject([{ code: "23514" }]);
});
