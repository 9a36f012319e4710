import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { acknowledgementLimits } from "~/content/facts";
import { call } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { newAddress, newLinks, sampleMail, useRequests } from "../support/data-rights.ts";
import { setRows } from "../support/retention.ts";

eachBackend("reminders of data rights requests", (backend) => {
  const requests = useRequests(backend);
  const { confirm, listDue } = requests;

  const dueInDays = (request: { id: string }, days: number) =>
    requests.set(request, `due_on = (now() at time zone 'UTC')::date + ${days}`);

  async function queue({ id }: { id: string }, reminder: string) {
    const { tokens, hashes } = await newLinks();
    const mail = { request_id: id, reminder, mail: sampleMail, acknowledgements_per_hour: 0 };
    return { isQueued: await call(backend.service, "queue_reminder", { ...mail, ...hashes }), tokens };
  }

  /**
   * Queues all due reminders.
   * @returns their kinds in order
   */
  async function queueAll(request: { id: string }): Promise<string[]> {
    const [due] = await listDue(request);
    if (!due) return [];
    expect((await queue(request, due.reminder)).isQueued).toBe(true);
    return [due.reminder, ...(await queueAll(request))];
  }

  it("notifies the firm of a confirmation, and 7 and 2 days before the due date, once each", async () => {
    const request = await requests.receive();
    expect(await queueAll(request)).toEqual([]);
    await confirm(request.tokens.confirm);
    expect(await queueAll(request)).toEqual(["confirmed"]);
    await dueInDays(request, 8);
    expect(await queueAll(request)).toEqual([]);
    await dueInDays(request, 7);
    expect(await queueAll(request)).toEqual(["due-in-7-days"]);
    await dueInDays(request, 3);
    expect(await queueAll(request)).toEqual([]);
    await dueInDays(request, 2);
    expect(await queueAll(request)).toEqual(["due-in-2-days"]);
    await dueInDays(request, -5);
    expect(await queueAll(request)).toEqual([]);
    const mails = (await requests.readMails(request)).filter(({ kind }) => kind === "request-firm");
    expect(mails.map(({ recipient }) => recipient)).toEqual([null, null, null, null]);
  });

  it("catches up on missed reminders, starts over after an extension, ends with the request", async () => {
    const request = await requests.receiveConfirmed();
    await dueInDays(request, 1);
    expect(await queueAll(request)).toEqual(["confirmed", "due-in-2-days"]);
    await requests.take(request.id, "extend").throwOnError();
    expect(await queueAll(request)).toEqual([]);
    await dueInDays(request, 6);
    expect(await queueAll(request)).toEqual(["due-in-7-days"]);
    await dueInDays(request, 2);
    await requests.take(request.id, "complete").throwOnError();
    expect(await queueAll(request)).toEqual([]);
    expect((await queue(request, "due-in-2-days")).isQueued).toBe(false);
    expect((await queue({ id: randomUUID() }, "confirmed")).isQueued).toBe(false);
  });

  it("reminds an unconfirmed requester once, after 20 days, with new links", async () => {
    const request = await requests.receive({ quarantineReason: "honeypot" });
    await requests.set(request, "received_at = now() - interval '20 days' + interval '1 minute'");
    expect(await listDue(request)).toEqual([]);
    await requests.set(request, "received_at = now() - interval '20 days', due_on = due_on - 20");
    expect(await listDue(request)).toMatchObject([{ reminder: "unconfirmed", recipient: request.email }]);
    const { isQueued, tokens } = await queue(request, "unconfirmed");
    expect(isQueued).toBe(true);
    expect(await listDue(request)).toEqual([]);
    expect(await requests.readActions(request)).toEqual(["received", "confirmation-resent"]);
    const toRequester = (await requests.readMails(request)).filter(({ recipient }) => recipient === request.email);
    expect(toRequester.map(({ kind }) => kind)).toEqual(["request-acknowledgement", "request-acknowledgement"]);
    expect(await confirm(request.tokens.confirm)).toHaveLength(0);
    expect(await confirm(tokens.confirm)).toHaveLength(1);
    expect(await queueAll(request)).toEqual(["confirmed"]);
  });

  it("respects the limit of a mailbox and retries six hours later", async () => {
    const email = newAddress();
    const request = await requests.receive({ email });
    for (let i = 1; i < acknowledgementLimits.perMailboxAndDay; i++)
      await requests.receive({ email, description: `Request ${i}` });
    await requests.set(request, "received_at = now() - interval '21 days', due_on = due_on - 21");
    expect((await queue(request, "unconfirmed")).isQueued).toBe(false);
    expect(await listDue(request)).toEqual([]);
    expect(await requests.readActions(request)).toEqual(["received"]);
    await setRows(backend, "private.email_outbox", email, "created_at = now() - interval '25 hours'", "recipient");
    await requests.set(request, "last_reminder_at = now() - interval '6 hours'");
    expect((await queue(request, "unconfirmed")).isQueued).toBe(true);
  });
});
