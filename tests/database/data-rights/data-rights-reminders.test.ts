import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { acknowledgementLimits } from "~/content/facts";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";
import {
  findRow,
  newAddress,
  readActions,
  readMails,
  receiveConfirmed,
  type ReceivedRequest,
  receiveRequest,
  sampleMail,
  takeStep,
} from "../support/data-rights.ts";
import { settleWaiting } from "../support/network.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("reminders of data rights requests", (backend) => {
  /** Changes a row as the passing of time would. */
  const age = ({ id }: { id: string }, assignments: string) =>
    backend.sql(`update public.data_rights_requests set ${assignments} where id = $1 returning 1 as ok`, [id]);

  const dueInDays = (request: { id: string }, days: number) =>
    age(request, `due_on = (now() at time zone 'UTC')::date + ${days}`);

  async function findDue({ id }: { id: string }): Promise<{ reminder: string; recipient: string | null } | undefined> {
    const { data } = await backend.service.rpc("list_due_reminders").throwOnError();
    return data.find((row: { request_id: string }) => row.request_id === id);
  }

  async function queue(request: { id: string }, reminder: string) {
    const tokens = { confirm: newSecretToken(), status: newSecretToken() };
    const { data } = await backend.service
      .rpc("queue_reminder", {
        request_id: request.id,
        reminder,
        mail: sampleMail,
        confirm_token_hash: await digestOfToken(tokens.confirm),
        status_token_hash: await digestOfToken(tokens.status),
        acknowledgements_per_hour: 0,
      })
      .throwOnError();
    return { isQueued: data as boolean, tokens };
  }

  /**
   * Queues all due reminders.
   * @returns their kinds in order
   */
  async function queueAll(request: ReceivedRequest): Promise<string[]> {
    const sent: string[] = [];
    for (let due = await findDue(request); due; due = await findDue(request)) {
      expect((await queue(request, due.reminder)).isQueued).toBe(true);
      sent.push(due.reminder);
    }
    return sent;
  }

  it("notifies the firm of a confirmation, and 7 and 2 days before the due date, once each", async () => {
    const request = await receiveRequest(backend);
    expect(await queueAll(request)).toEqual([]);
    await backend.client().rpc("confirm_data_rights_request", { token: request.tokens.confirm }).throwOnError();
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
    const mails = (await readMails(backend, request)).filter(({ kind }) => kind === "request-firm");
    expect(mails.map(({ recipient }) => recipient)).toEqual([null, null, null, null]);
  });

  it("catches up on missed reminders, starts over after an extension, ends with the request", async () => {
    const admin = backend.client((await signInAdmin(backend)).token);
    const request = await receiveConfirmed(backend);
    await dueInDays(request, 1);
    expect(await queueAll(request)).toEqual(["confirmed", "due-in-2-days"]);
    await takeStep(admin, request.id, "extend").throwOnError();
    expect(await queueAll(request)).toEqual([]);
    await dueInDays(request, 6);
    expect(await queueAll(request)).toEqual(["due-in-7-days"]);
    await dueInDays(request, 2);
    await takeStep(admin, request.id, "complete").throwOnError();
    expect(await queueAll(request)).toEqual([]);
    expect((await queue(request, "due-in-2-days")).isQueued).toBe(false);
    expect((await queue({ id: randomUUID() }, "confirmed")).isQueued).toBe(false);
  });

  it("reminds an unconfirmed requester once, after 20 days, with new links", async () => {
    const request = await receiveRequest(backend, { quarantineReason: "honeypot" });
    await age(request, "received_at = now() - interval '20 days' + interval '1 minute'");
    expect(await findDue(request)).toBeUndefined();
    await age(request, "received_at = now() - interval '20 days', due_on = due_on - 20");
    expect(await findDue(request)).toMatchObject({ reminder: "unconfirmed", recipient: request.email });
    const { isQueued, tokens } = await queue(request, "unconfirmed");
    expect(isQueued).toBe(true);
    expect(await findDue(request)).toBeUndefined();
    expect(await readActions(backend, request)).toEqual(["received", "confirmation-resent"]);
    const toRequester = (await readMails(backend, request)).filter(({ recipient }) => recipient === request.email);
    expect(toRequester.map(({ kind }) => kind)).toEqual(["request-acknowledgement", "request-acknowledgement"]);
    const confirm = async (token: string) =>
      (await backend.client().rpc("confirm_data_rights_request", { token }).throwOnError()).data as unknown[];
    expect(await confirm(request.tokens.confirm)).toHaveLength(0);
    expect(await confirm(tokens.confirm)).toHaveLength(1);
    expect(await queueAll(request)).toEqual(["confirmed"]);
  });

  it("queues a reminder once under concurrent calls", async () => {
    const request = await receiveConfirmed(backend);
    const runs = await Promise.all(Array.from({ length: 8 }, () => queue(request, "confirmed")));
    expect(runs.filter(({ isQueued }) => isQueued)).toHaveLength(1);
  });

  it("respects the limit of a mailbox and retries six hours later", async () => {
    const email = newAddress();
    const requests = [];
    for (let i = 0; i < acknowledgementLimits.perMailboxAndDay; i++)
      requests.push(await receiveRequest(backend, { email, description: `Request ${i}` }));
    const [request] = requests as [ReceivedRequest];
    await age(request, "received_at = now() - interval '21 days', due_on = due_on - 21");
    expect((await queue(request, "unconfirmed")).isQueued).toBe(false);
    expect(await findDue(request)).toBeUndefined();
    expect(await readActions(backend, request)).toEqual(["received"]);
    const later =
      "update private.email_outbox set created_at = now() - interval '25 hours' where recipient = $1 returning 1 as ok";
    await backend.sql(later, [email]);
    await age(request, "last_reminder_at = now() - interval '6 hours'");
    expect((await queue(request, "unconfirmed")).isQueued).toBe(true);
  });

  it("reminds the requester before retention deletes an unconfirmed request", async () => {
    const keep = () => backend.service.rpc("keep_retention", { source: "server" }).throwOnError();
    const request = await receiveRequest(backend);
    await age(request, "received_at = now() - interval '61 days', due_on = (now() at time zone 'UTC')::date - 31");
    await keep();
    expect(await findRow(backend, request)).toMatchObject({ state: "unconfirmed" });
    expect(await queueAll(request)).toEqual(["unconfirmed"]);
    await settleWaiting(backend, request.email);
    await keep();
    expect(await findRow(backend, request)).toMatchObject({ state: "unconfirmed" });
    await age(request, "last_reminder_at = now() - interval '31 days'");
    await keep();
    expect(await findRow(backend, request)).toBeUndefined();
  });
});
