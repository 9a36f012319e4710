import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { acknowledgementLimits } from "~/content/facts";
import { findDueDay } from "~/features/data-rights/due-day";
import { formatDay, localDay, startOfLocalDay } from "~/lib/dates.ts";
import { call } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { newAddress, newLinks, sampleMail, useRequests } from "../support/data-rights.ts";
import { setRows } from "../support/retention.ts";

/** The last two never share a calendar day. */
const zones = ["UTC", "America/New_York", "Pacific/Kiritimati", "Pacific/Pago_Pago"];

const dayMs = 24 * 60 * 60 * 1000;
const toIso = (at: number) => new Date(at).toISOString();
const addDays = (day: string, days: number) => toIso(Date.parse(day) + days * dayMs).slice(0, 10);

eachBackend("dates and reminders of data rights requests", (backend) => {
  const requests = useRequests(backend);
  const { confirm, listDue } = requests;

  afterEach(() => setTimeZone("UTC"));

  const setFacts = (facts: unknown) => call(backend.service, "set_site_facts", { facts });

  const setTimeZone = (name: unknown) => setFacts({ TIME_ZONE: name });

  const read = async (expression: string, parameters: unknown[] = []) =>
    (await backend.sql<{ value: string }>(`select (${expression})::text as value`, parameters))[0]!.value;

  it("computes the due date of every day from 2025 to 2028 as the page after sending does", async () => {
    const rows = await backend.sql<{ day: string; due_on: string }>(
      `select day::date::text as day, private.data_rights_due_on(day::date)::text as due_on
       from generate_series(timestamp '2025-01-01', timestamp '2028-12-31', interval '1 day') as day`,
    );
    expect(rows).toHaveLength(365 * 3 + 366);
    expect(rows).toEqual(rows.map(({ day }) => ({ day, due_on: findDueDay(day) })));
  });

  it.each([
    ["thirty days are shorter", "2026-12-21", "2027-01-20", "2027-03-21"],
    ["thirty days are a month, and ninety shorter than three", "2026-11-21", "2026-12-21", "2027-02-19"],
    ["the month is shorter", "2026-01-31", "2026-02-28", "2026-04-30"],
    ["the month has a leap day", "2028-01-31", "2028-02-29", "2028-04-30"],
  ])("sets both deadlines when %s", async (_, day, due_on, extended_to) => {
    expect(await read("private.data_rights_due_on($1::date)", [day])).toBe(due_on);
    expect(await read("private.data_rights_extended_to($1::date)", [day])).toBe(extended_to);
  });

  it.each([
    ["accepts", "on the day before it is due", 1, undefined],
    ["rejects", "on the day it is due", 0, "55000"],
    ["rejects", "when it is overdue", -1, "55000"],
  ])("%s an extension %s", async (_verdict, _when, daysLeft, code) => {
    const request = await requests.receiveConfirmed();
    await requests.set(request, `due_on = private.today() + ${daysLeft}`);
    expect((await requests.take(request.id, "extend", "Many")).error?.code).toBe(code);
    const { extended_at } = (await requests.findRow(request))!;
    expect(extended_at === null).toBe(code !== undefined);
  });

  it.each(zones)(
    "computes due dates from the firm's day in %s, extends them once, and mails the new one",
    async (zone) => {
      await setTimeZone(zone);
      const received = await requests.receive();
      const row = (await requests.findRow(received))!;
      const day = localDay(Date.parse(String(row.received_at)), zone);
      expect(row.due_on).toBe(await read("private.data_rights_due_on($1::date)", [day]));

      const confirmed = await requests.receiveConfirmed();
      await requests.take(confirmed.id, "extend", "Many").throwOnError();
      const extended = (await requests.findRow(confirmed))!;
      expect(extended).toMatchObject({ extension_reason: "Many", extended_at: expect.any(String), state: "open" });
      const answers = (await requests.readMails(confirmed)).filter(({ kind }) => kind === "request-answer");
      expect(answers.map(({ body }) => body)).toEqual([`We have answered. Due ${formatDay(String(extended.due_on))}.`]);
      expect((await requests.take(confirmed.id, "extend", "More")).error?.code).toBe("55000");
      expect(await requests.findRow(confirmed)).toEqual(extended);
      const receivedOn = localDay(Date.parse(String(extended.received_at)), zone);
      expect(extended.due_on).toBe(await read("private.data_rights_extended_to($1::date)", [receivedOn]));
    },
  );

  it.each(zones)("ends links, deadlines and restrictions at the firm's midnight in %s", async (zone) => {
    await setTimeZone(zone);
    const request = await requests.receive({ type: "restrict" });
    const today = await read("private.today()");
    const due = (day: string) => requests.set(request, `due_on = '${day}', state = 'open', confirmed_at = now()`);
    const isOverdue = async () => (await requests.find(request)).is_overdue as boolean;
    const countOverdue = async () => Number(await read("private.count_overdue_requests()"));
    await due(today);
    const before = await countOverdue();
    expect(await isOverdue()).toBe(false);
    await due(addDays(today, -1));
    expect([await isOverdue(), await countOverdue()]).toEqual([true, before + 1]);

    const ends = Date.parse(
      (await read("to_json(private.confirmation_ends_at($1::date))#>>'{}'", [addDays(today, 9)])) ?? "",
    );
    expect([localDay(ends - 1, zone), localDay(ends, zone)]).toEqual([addDays(today, 9), addDays(today, 10)]);
    for (const step of ["restrict", "lift"]) await requests.take(request.id, step).throwOnError();
    expect(await requests.findRow(request)).toMatchObject({ restriction_ends_on: addDays(today, 7) });
  });

  it("treats the day on which a letter arrived as a day at the firm", async () => {
    for (const zone of zones) {
      await setTimeZone(zone);
      const today = localDay(Date.now(), zone);
      const entered = await requests.enter({ received_on: today, is_identified: true });
      const row = (await requests.findRow(entered))!;
      expect(Date.parse(String(row.received_at))).toBe(startOfLocalDay(Date.now(), zone));
      expect((await requests.enter({ received_on: addDays(today, 1) })).code).toBe("22023");
    }
  });

  const readEach = async (expression: string, values: string[]) => {
    const query = `select (${expression})::text as value from jsonb_array_elements_text($1::jsonb) as given`;
    return (await backend.sql<{ value: string }>(query, [JSON.stringify(values)])).map(({ value }) => value);
  };

  it("agrees with JavaScript on days around midnights and clock changes", async () => {
    for (const zone of [...zones, "Africa/Cairo", "Asia/Beirut", "America/Santiago", "Europe/Berlin"]) {
      await setTimeZone(zone);
      const noons = [70, 72, 73, 86, 87, 119, 120, 247, 248, 301, 302, 303, 310].map((day) =>
        Date.UTC(2027, 0, day, 12),
      );
      const starts = noons.map((noon) => startOfLocalDay(noon, zone));
      const instants = starts.flatMap((at) => [at - 1, at, at + 60 * 60 * 1000 - 1, at + 3 * 60 * 60 * 1000]);
      const days = await readEach("private.local_day(given::timestamptz)", instants.map(toIso));
      expect([zone, days]).toEqual([zone, instants.map((at) => localDay(at, zone))]);
      const ownDays = starts.map((at) => localDay(at, zone));
      const seconds = await readEach("extract(epoch from private.start_of_day(given::date))::bigint", ownDays);
      expect([zone, seconds.map((value) => toIso(Number(value) * 1000))]).toEqual([zone, starts.map(toIso)]);
    }
  });

  it("keeps facts, and refuses those that no site has", async () => {
    const facts = { SITE_URL: "https://firm.example", FIRM_NAME: "Firm “One”", TIME_ZONE: "UTC" };
    await setFacts(facts);
    for (const wrong of [null, [], "x", { ...facts, SMTP_PASSWORD: "x" }, { FIRM_NAME: "" }, { FIRM_NAME: 1 }])
      expect([wrong, await setFacts(wrong)]).toEqual([wrong, "22023"]);
    expect(await call(backend.service, "read_site_facts")).toEqual(facts);
  });

  it("accepts a time zone by its full name only", async () => {
    await setTimeZone("Pacific/Kiritimati");
    for (const name of ["CET", "EST5EDT", "+05:30", "Nowhere/Land", "", " ", null])
      expect([name, await setTimeZone(name)]).toEqual([name, "22023"]);
    expect(await read("private.time_zone()")).toBe("Pacific/Kiritimati");
  });

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
