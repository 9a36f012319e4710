import { expect, it } from "vitest";
import { findDueDay } from "~/features/data-rights/due-day";
import { formatDay } from "~/lib/dates";
import { dataRightsLimits, dataRightsRequestTypes } from "#supabase/functions/_shared/data-rights-request.ts";
import { digestOfToken } from "#supabase/functions/_shared/secret-token.ts";
import { call } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { callReceive, daysAgo, newAddress, newLinks, useRequests } from "../support/data-rights.ts";

eachBackend("arrival of data rights requests", (backend) => {
  const requests = useRequests(backend);

  const age = (request: { id: string }, time: string) =>
    requests.set(request, `received_at = now() - interval '${time}'`);

  async function countAll() {
    const [row] = await backend.sql<Record<string, number>>(
      `select (select count(*) from public.data_rights_requests)::int as requests,
         (select count(*) from private.data_rights_links)::int as links,
         (select count(*) from private.email_outbox)::int as mails`,
    );
    return row!;
  }

  it.each(dataRightsRequestTypes)("stores a request of type %s, unconfirmed", async (type) => {
    const request = await requests.receive({ type });
    expect(request.isNew).toBe(true);
    expect(request.reference).toMatch(/^DR-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
    const stored = { request_type: type, state: "unconfirmed", email: request.email, quarantine_reason: null };
    expect(await requests.findRow(request)).toMatchObject(stored);
    expect(await requests.readActions(request)).toEqual(["received"]);
  });

  it("queues both mails with the reference, and the due date in words", async () => {
    const request = await requests.receive({ name: "Zyx-name", description: "Zyx {{reference}} {{due_on}}" });
    const row = await requests.findRow(request);
    const mails = await requests.readMails(request);
    expect(mails.map(({ kind, recipient }) => [kind, recipient])).toEqual([
      ["request-acknowledgement", request.email],
      ["request-firm", null],
    ]);
    for (const { subject, body } of mails) {
      expect(subject).toContain(request.reference);
      expect(body).toContain(request.reference);
      expect(body).toContain(formatDay(String(row!.due_on)));
      expect(subject + body).not.toMatch(/\{\{|Zyx/);
    }
    expect(mails[0]!.body).toContain(`/data-rights/confirm?token=${request.tokens.confirm}`);
    expect(mails[0]!.body).toContain(`/data-rights/status?token=${request.tokens.status}`);
    expect(mails[1]!.body).not.toContain(request.email);
  });

  it("stores digests of the tokens; the confirmation expires at the end of the due date", async () => {
    const request = await requests.receive();
    const links = await backend.sql(
      `select link.purpose, link.token_hash, ((link.expires_at at time zone 'UTC') - request.due_on)::text as after_due
       from private.data_rights_links as link join public.data_rights_requests as request on request.id = link.request_id
       where request.id = $1 order by link.purpose`,
      [request.id],
    );
    expect(links).toEqual([
      { purpose: "confirm", token_hash: await digestOfToken(request.tokens.confirm), after_due: "1 day" },
      { purpose: "status", token_hash: await digestOfToken(request.tokens.status), after_due: null },
    ]);
  });

  it("creates a new request if a field differs, a day has passed, or the first is closed", async () => {
    const first = await requests.receive();
    const same = { email: first.email };
    for (const other of [{ name: "Grace" }, { type: "erasure" as const }, { description: "Other words" }]) {
      const received = await requests.receive({ ...same, ...other });
      expect([received.isNew, received.reference !== first.reference]).toEqual([true, true]);
    }
    expect((await requests.receive(same)).reference).toBe(first.reference);
    const marked = await requests.receive({ ...same, quarantineReason: "honeypot" });
    expect(marked.reference).toBe(first.reference);
    await age(first, "25 hours");
    // One mailbox gets few acknowledgements a day, and links are sent only with them.
    await backend.sql("update private.email_outbox set created_at = now() - interval '2 days' returning 1 as ok");
    const later = await requests.receive(same);
    expect([later.isNew, later.reference !== first.reference]).toEqual([true, true]);
    await requests.withdraw(later.tokens.status);
    expect((await requests.receive(same)).reference).not.toBe(later.reference);
  });

  it("returns the same request when the form is sent again after Back, even if confirmed", async () => {
    const first = await requests.receiveConfirmed();
    await age(first, "1 hour");
    const before = await countAll();
    const again = await requests.receive({ email: first.email });
    expect(again).toMatchObject({ reference: first.reference, isNew: false });
    expect(await countAll()).toEqual(before);
  });

  it("mails new links when the same request is repeated later, and nothing to the firm", async () => {
    const first = await requests.receive();
    const again = () => requests.receive({ email: first.email });
    await age(first, "11 minutes");
    const second = await again();
    expect(second).toMatchObject({ reference: first.reference, isNew: true });
    expect((await again()).isNew).toBe(false);
    const kinds = (await requests.readKinds(first)).toSorted();
    expect(kinds).toEqual(["request-acknowledgement", "request-acknowledgement", "request-firm"]);
    expect(await requests.readActions(first)).toEqual(["received", "confirmation-resent"]);
    expect(await requests.confirm(first.tokens.confirm)).toEqual([]);
    expect(await requests.confirm(second.tokens.confirm)).toHaveLength(1);
  });

  it.each(Object.entries(dataRightsLimits))("limits %s to %i characters and at least one", async (field, limit) => {
    const send = async (text: string) => (await callReceive(backend.service, { [field]: text })).error?.code;
    const letter = field === "email" ? "e" : "é";
    expect(await send(`${letter.repeat(limit - 12)}@example.com`)).toBeUndefined();
    expect(await send(`${letter.repeat(limit - 11)}@example.com`)).toBe("23514");
    expect(await send("")).toBe("23514");
  });

  it("stores nothing when any part is rejected", async () => {
    const before = await countAll();
    const request = { request_type: "access", name: "Ada", email: newAddress(), description: "All of it" };
    const parameters = { request, ...(await newLinks()).hashes, quarantine_reason: null, mails: [] };
    const refused: [Record<string, unknown>, string][] = [
      [{ request: {} }, "23502"],
      [{ request: { ...request, request_type: "everything" } }, "23514"],
      [{ confirm_token_hash: "", status_token_hash: "" }, "23514"],
      [{ mails: [{ kind: "request-firm", subject: " ", body: "b" }] }, "22023"],
      [{ mails: [{ kind: "request-firm", subject: "a\nBcc: b", body: "b" }] }, "22023"],
      [{ mails: [{ kind: "spam", recipient: "a@b.example", subject: "a", body: "b" }] }, "23514"],
      [{ mails: [{ kind: "request-answer", subject: "a", body: "b" }] }, "23514"],
    ];
    for (const [differences, code] of refused)
      expect([
        differences,
        await call(backend.service, "receive_data_rights_request", { ...parameters, ...differences }),
      ]).toEqual([differences, code]);
    expect(await countAll()).toEqual(before);
  });

  it("sets the due date of a letter from the day of its arrival and waits for confirmation", async () => {
    const entered = await requests.enter();
    const due_on = findDueDay(daysAgo(12));
    expect(await requests.findRow(entered)).toMatchObject({ state: "unconfirmed", due_on });
    expect(await requests.readActions(entered)).toEqual(["entered"]);
    expect(await requests.readMails(entered)).toMatchObject([
      { kind: "request-acknowledgement", recipient: entered.email },
    ]);
    expect(await requests.findByStatus(entered.tokens.status)).toHaveLength(1);
    expect(await requests.confirm(entered.tokens.confirm)).toHaveLength(1);
  });

  it("stores and mails a letter once when the form is sent again after Back", async () => {
    const request = { request_type: "access", name: "Ada Lovelace", email: newAddress(), description: "By letter" };
    const first = await requests.enter({ request });
    expect((await requests.enter({ request })).id).toBe(first.id);
    expect(await requests.readMails(first)).toHaveLength(1);
    for (const other of [{ received_on: daysAgo(11) }, { request: { ...request, description: "By phone" } }])
      expect((await requests.enter({ request, ...other })).id).not.toBe(first.id);
  });

  it.each([
    ["access", true, expect.any(String)],
    ["complaint", true, null],
    ["complaint", false, null],
  ])("opens a letter of type %s, identified: %s, without a mail to the firm", async (...row) => {
    const [request_type, is_identified, confirmed_at] = row;
    const request = { request_type, name: "Ada Lovelace", email: newAddress(), description: "By letter" };
    const entered = await requests.enter({ request, is_identified });
    expect(await requests.findRow(entered)).toMatchObject({ state: "open", confirmed_at });
    expect(await requests.confirm(entered.tokens.confirm)).toEqual([]);
    expect(await requests.findByConfirm(entered.tokens.confirm)).toEqual([]);
    expect(await requests.findByStatus(entered.tokens.status)).toHaveLength(1);
    expect(await requests.listDue(entered)).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["an unknown channel", { channel: "pigeon" }, "22023"],
    ["no channel", { channel: null }, "22023"],
    ["no word on identification", { is_identified: null }, "22023"],
    ["a day to come", { received_on: daysAgo(-1) }, "22023"],
    ["a day 91 days ago", { received_on: daysAgo(91) }, "22023"],
    ["no day", { received_on: null }, "22023"],
    ["no texts", { request: {} }, "23502"],
    ["no mail", { mail: null }, "22023"],
  ])("rejects a letter with %s", async (_, changes, code) => {
    expect((await requests.enter(changes)).code).toBe(code);
  });

  it("opens a complaint immediately, with nothing to confirm and nothing to disclose", async () => {
    const complaint = await requests.receive({ type: "complaint" });
    expect(await requests.findRow(complaint)).toMatchObject({ state: "open", confirmed_at: null });
    expect(await requests.readActions(complaint)).toEqual(["received"]);
    expect(await requests.readKinds(complaint)).toEqual(["request-acknowledgement", "request-firm"]);
    expect(await requests.findByConfirm(complaint.tokens.confirm)).toEqual([]);
    expect(await requests.findByStatus(complaint.tokens.status)).toMatchObject([{ state: "open" }]);
    expect(await requests.listDue(complaint)).toEqual([]);
    expect(await requests.find(complaint)).toMatchObject({ erasure: null, messages: null, membership: null });
    expect((await requests.receive({ type: "complaint", email: complaint.email })).isNew).toBe(false);
    await requests.take(complaint.id, "outcome").throwOnError();
    expect(await requests.readKinds(complaint)).toContain("request-answer");
  });

  it("stores no open request of another type without confirmation", async () => {
    const request = await requests.receiveConfirmed();
    await expect(requests.set(request, "confirmed_at = null")).rejects.toThrow(/check constraint/);
  });

  it("draws another reference when one is taken", async () => {
    const taken = (await requests.receive()).reference;
    // The next two draws return the reference that is taken; the third is new.
    await backend.exec(`alter function private.new_request_reference() rename to true_request_reference;
       create sequence private.draws;
       create function private.new_request_reference() returns text language sql volatile as
         $$ select case when nextval('private.draws') < 3 then '${taken}' else private.true_request_reference() end $$;`);
    const other = await requests.receive();
    expect([other.isNew, other.reference === taken]).toEqual([true, false]);
    expect(await backend.sql("select last_value::int as draws from private.draws")).toEqual([{ draws: 3 }]);
  });
});
