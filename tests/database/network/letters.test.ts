import type { SupabaseClient } from "@supabase/supabase-js";
import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { receiveConfirmed, sampleMail } from "../support/data-rights.ts";
import { eachBackend } from "../support/backends.ts";
import {
  addMembers,
  clearNetwork,
  exampleFooter,
  exampleLetter,
  findLetter,
  saveLetter,
  sendLetter,
  tryLetter,
} from "../support/letters.ts";
import { findMember, join, tokenOf } from "../support/network.ts";
import { type Person, refusal, signInAdmin } from "../support/test-backend.ts";

eachBackend("letters to the network", (backend) => {
  let person: Person;
  let admin: Person;
  let ada: SupabaseClient;
  let bea: SupabaseClient;

  beforeAll(async () => {
    person = await backend.signIn();
    admin = await signInAdmin(backend);
    ada = backend.client(admin.token);
    bea = backend.client((await signInAdmin(backend)).token);
  });
  beforeEach(() => clearNetwork(backend));

  const readLog = (action: string) =>
    backend.sql("select people_count from public.admin_events where action = $1 order by id", [action]);
  const claim = async (per_hour = 1000) =>
    (await backend.service.rpc("claim_letter_recipients", { per_hour }).throwOnError()).data as {
      letter_id: string;
      member_id: string;
      recipient: string;
    }[];

  async function queue({ letter_id, member_id }: { letter_id: string; member_id: string }) {
    const mail = { subject: "A letter", body: "Text", closing: "Bye" };
    await backend.service.rpc("queue_letter_mail", { letter_id, member_id, mail }).throwOnError();
  }

  const stopMail = async (email: string) => {
    const token = await tokenOf(backend, email, "letter");
    return (await backend.client().rpc("unsubscribe_member", { token }).throwOnError()).data as boolean;
  };

  const listMails = () =>
    backend.sql<{ id: string; recipient: string; kind: string; body: string }>(
      "select id, recipient, kind, body from private.email_outbox where kind like 'letter%' order by recipient",
    );
  const settle = (mail_id: string, outcome: string, error_code: string | null = null) =>
    backend.service.rpc("settle_mails", { attempts: [{ mail_id, outcome, error_code }] }).throwOnError();

  it("keeps drafts, and refuses to replace a colleague's", async () => {
    const letter = await saveLetter(ada, { subject: "", body: "", to_states: [] });
    const { version: first, ...fields } = letter;
    expect([first, await findLetter(ada, letter.letter_id)]).toMatchObject([
      1,
      { state: "draft", waiting: 0, version: 1 },
    ]);
    const save = (client: SupabaseClient, subject: string, seen_version: number | null) =>
      client.rpc("save_letter", { ...fields, subject, seen_version });
    expect((await save(bea, "Hers", 1)).data).toBe(2);
    expect((await save(ada, "His", 1)).error?.code).toBe("PT409");
    expect((await save(ada, "His", null)).error?.code).toBe("PT409");
    // A form posted twice.
    expect((await save(bea, "Hers", 1)).data).toBe(2);
    await ada.rpc("delete_letter", { letter_id: letter.letter_id }).throwOnError();
    expect((await save(bea, "Hers", 2)).error?.code).toBe("P0002");
    expect(await findLetter(ada, letter.letter_id)).toBeNull();
  });

  it.each([
    ["a subject with a line break", { subject: "Hello\r\nBcc: all@firm.example" }],
    ["a subject with a Unicode line break", { subject: "Hello\u2028there" }],
    ["a subject of 201 characters", { subject: "x".repeat(201) }],
    ["a text of 20,001 characters", { body: "x".repeat(20_001) }],
    ["another state", { to_states: ["asked"] }],
    ["a state twice", { to_states: ["confirmed", "confirmed"] }],
    ["states in two dimensions", { to_states: [["confirmed"], ["admitted"]] }],
  ])("refuses %s", async (_, changes) => {
    const letter = { letter_id: randomUUID(), ...exampleLetter, ...changes, seen_version: 0 };
    expect((await ada.rpc("save_letter", letter)).error?.code).toBe("23514");
  });

  const set = (id: string, assignment: string) =>
    backend.sql(`update public.network_members set ${assignment} where id = $1 returning 1 as ok`, [id]);
  const count = async (to_states: string[], to_kind: string | null = null, to_field: string | null = null) =>
    (await ada.rpc("count_letter_recipients", { to_states, to_kind, to_field }).throwOnError()).data.count;

  it("chooses by state, kind and field, and leaves out whom it may not write to", async () => {
    const members = await Promise.all(
      ["angel", "fund", "fund", "fund", "fund"].map((kind) => join(backend, { membership: { kind } })),
    );
    const ids = members.map(({ id }) => id);
    await set(ids[1]!, "paused_at = now()");
    await set(ids[2]!, "unsubscribed_at = now()");
    await set(ids[3]!, "frozen_at = now()");
    await set(ids[4]!, "state = 'admitted', decided_at = now(), fields = '{wellness}'");
    expect(await count(["confirmed", "admitted"])).toBe(2);
    expect(await count(["confirmed"])).toBe(1);
    expect(await count(["confirmed", "admitted"], "fund")).toBe(1);
    expect(await count(["confirmed", "admitted"], null, "devices")).toBe(1);
    expect(await count([])).toBe(0);
  });

  it("names ten of those whom it goes to, the newest first", async () => {
    await addMembers(backend, "named", 12);
    const newest = await join(backend, { submission: { name: "Newest" } });
    expect(await findMember(backend, newest.email)).toBeDefined();
    const { to_states } = exampleLetter;
    const { data } = await ada.rpc("count_letter_recipients", { to_states }).throwOnError();
    expect([data.count, data.names.length, data.names[0]]).toEqual([13, 10, "Newest"]);
  });

  it("sends only the text that this admin mailed to themself, to the number of members that they saw", async () => {
    await addMembers(backend, "expected", 3);
    const letter = await saveLetter(ada);
    const send = (client: SupabaseClient, expected: number, seen_version = letter.version) =>
      client.rpc("send_letter", { letter_id: letter.letter_id, expected, footer: exampleFooter, seen_version });
    expect((await send(ada, 3)).error?.code).toBe("55006");
    await tryLetter(ada, letter).throwOnError();
    expect(await listMails()).toMatchObject([{ kind: "letter-trial" }]);
    expect((await send(bea, 3)).error?.code).toBe("55006");
    expect([
      (await findLetter(ada, letter.letter_id)).is_tried,
      (await findLetter(bea, letter.letter_id)).is_tried,
    ]).toEqual([true, false]);
    expect((await send(ada, 2)).error?.code).toBe("22003");
    expect((await send(ada, 3, 0)).error?.code).toBe("PT409");
    const changed = { ...exampleLetter, letter_id: letter.letter_id, body: "Another text", seen_version: 1 };
    expect((await ada.rpc("save_letter", changed)).data).toBe(2);
    expect((await tryLetter(ada, letter)).error?.code).toBe("PT409");
    expect((await send(ada, 3, 2)).error?.code).toBe("55006");
    await tryLetter(ada, { ...letter, body: "Another text", version: 2 }).throwOnError();
    // A member joins after the number was shown.
    await addMembers(backend, "later", 1);
    expect((await send(ada, 3, 2)).error?.code).toBe("22003");
    expect((await send(ada, 4, 2)).data).toBe(4);
    expect(await findLetter(bea, letter.letter_id)).toMatchObject({ state: "sending", to_count: 4, waiting: 4 });
    expect((await readLog("letter-sent")).at(-1)).toEqual({ people_count: 4 });
    for (const call of [
      ada.rpc("save_letter", { ...changed, body: "Too late", seen_version: 2 }),
      ada.rpc("delete_letter", { letter_id: letter.letter_id }),
      tryLetter(ada, { ...letter, version: 2 }),
    ])
      expect((await call).error?.code).toBe("55000");
  });

  it("sends only with the footer that was tried, and never without a postal address", async () => {
    await addMembers(backend, "footer", 1);
    const letter = await saveLetter(ada);
    const send = (footer: unknown) =>
      ada.rpc("send_letter", { letter_id: letter.letter_id, expected: 1, footer, seen_version: letter.version });
    const { address, ...nowhere } = exampleFooter;
    for (const footer of [
      null,
      {},
      [],
      nowhere,
      ...["", " ", "[Postal address]", "x".repeat(301), null].map((given) => ({ ...nowhere, address: given })),
      { ...exampleFooter, firm: "" },
      { ...exampleFooter, extra: "x" },
    ]) {
      expect([footer, (await tryLetter(ada, letter, footer)).error?.code]).toEqual([footer, "22023"]);
      expect([footer, (await send(footer)).error?.code]).toEqual([footer, "22023"]);
    }
    await tryLetter(ada, letter).throwOnError();
    // The firm moved since.
    expect((await send({ ...exampleFooter, address: `${address}, 2nd floor` })).error?.code).toBe("55006");
    expect((await send(exampleFooter)).data).toBe(1);
    expect(await claim()).toMatchObject([{ footer: exampleFooter }]);
  });

  it("sends once when two admins send at once", async () => {
    await addMembers(backend, "twice", 5);
    const letter = await saveLetter(ada);
    await tryLetter(ada, letter).throwOnError();
    const call = { letter_id: letter.letter_id, expected: 5, footer: exampleFooter, seen_version: letter.version };
    // One admin in two tabs, because only who tried the text can send it.
    const results = await Promise.all([ada.rpc("send_letter", call), ada.rpc("send_letter", call)]);
    expect(results.map(({ data, error }) => data ?? error?.code).toSorted()).toEqual([5, "55000"]);
    const due = await claim();
    expect(due).toHaveLength(5);
    // Two workers.
    await Promise.all([...due, ...due].map(queue));
    expect(await listMails()).toHaveLength(6);
    expect(await claim()).toEqual([]);
  });

  it("hands out as many as the hour still allows, and counts those that wait", async () => {
    await addMembers(backend, "rate", 8);
    await sendLetter(ada);
    const due = await claim(5);
    expect(due).toHaveLength(5);
    for (const one of due.slice(0, 3)) await queue(one);
    expect((await claim(5)).map(({ recipient }) => recipient)).toEqual(due.slice(3).map(({ recipient }) => recipient));
    for (const one of await claim(5)) await queue(one);
    expect(await claim(5)).toEqual([]);
    const mails = (await listMails()).filter(({ kind }) => kind === "letter");
    for (const { id } of mails) await settle(id, "delivered");
    expect(await claim(5)).toEqual([]);
    await backend.sql(
      "update private.email_outbox set delivered_at = delivered_at - interval '61 minutes' returning 1 as ok",
    );
    expect(await claim(5)).toHaveLength(3);
  });

  it("keeps its pace though a mail was tried while the clock was ahead", async () => {
    await addMembers(backend, "ahead", 21);
    await sendLetter(ada);
    for (const one of await claim()) await queue(one);
    const tried = await backend.sql(
      `update private.email_outbox set attempted_at = now() + interval '400 days'
       where id in (select id from private.email_outbox where kind = 'letter' limit 20) returning id`,
    );
    expect(tried).toHaveLength(20);
    const call = { batch_size: 100, lease_seconds: 60, letters: true };
    await backend.sql("delete from private.email_outbox where kind <> 'letter' returning 1 as ok");
    expect((await backend.service.rpc("claim_due_mail", call).throwOnError()).data).toHaveLength(20);
  });

  const restrict = async ({ email }: { email: string }) => {
    const request = await receiveConfirmed(backend, { email, type: "restrict" });
    await ada.rpc("take_request_step", { step: "restrict", request_id: request.id, note: "As asked" }).throwOnError();
  };
  const erase = async ({ email }: { email: string }) => {
    const request = await receiveConfirmed(backend, { email, type: "erasure" });
    await ada.rpc("erase_subject", { request_id: request.id, mail: sampleMail }).throwOnError();
  };
  const events: [string, (member: { id: string; email: string; token: string }) => PromiseLike<unknown>][] = [
    ["leaves", ({ token }) => backend.client().rpc("leave_network", { token }).throwOnError()],
    ["stops all mail", ({ email }) => stopMail(email)],
    ["is removed", ({ id }) => ada.rpc("remove_network_member", { member_id: id }).throwOnError()],
    [
      "is declined",
      ({ id }) =>
        ada
          .rpc("review_network_member", { member_id: id, action: "declined", note: null, seen_version: 1 })
          .throwOnError(),
    ],
    ["is restricted", restrict],
    ["is erased", erase],
    [
      "has a mailbox that refuses mail",
      ({ id }) =>
        backend.sql("update public.network_members set paused_at = now() where id = $1 returning 1 as ok", [id]),
    ],
  ];
  it.each(events)("mails nothing to a member who %s between Send and their turn", async (_, happens) => {
    const [waiting, late, queued, other] = await Promise.all([
      join(backend),
      join(backend),
      join(backend),
      join(backend),
    ]);
    const { id } = await sendLetter(ada);
    const due = await claim();
    const dueTo = (email: string) => due.find(({ recipient }) => recipient === email)!;
    await queue(dueTo(queued.email));
    for (const member of [waiting, late, queued]) await happens(member);
    // A worker that had claimed the member before.
    await queue(dueTo(late.email));
    expect((await claim()).map(({ recipient }) => recipient)).toEqual([other.email]);
    expect((await listMails()).filter(({ kind }) => kind === "letter")).toEqual([]);
    await queue(dueTo(other.email));
    const mails = (await listMails()).filter(({ kind }) => kind === "letter");
    expect(mails.map(({ recipient }) => recipient)).toEqual([other.email]);
    await settle(mails[0]!.id, "delivered");
    expect(await findLetter(ada, id)).toMatchObject({ state: "sent", to_count: 4, delivered: 1, waiting: 0 });
  });

  it("drops a member who stops all mail at the very moment of Send", async () => {
    const [stopped, other] = await Promise.all([join(backend), join(backend)]);
    await stopMail(stopped.email);
    const { id } = await sendLetter(ada);
    // As if send_letter had read the member before.
    await backend.sql(
      "insert into private.letter_recipients (letter_id, member_id) values ($1, $2) returning 1 as ok",
      [id, stopped.id],
    );
    await queue({ letter_id: id, member_id: stopped.id });
    expect((await listMails()).filter(({ kind }) => kind === "letter")).toEqual([]);
    expect((await claim()).map(({ recipient }) => recipient)).toEqual([other.email]);
    expect(await findLetter(ada, id)).toMatchObject({ waiting: 1 });
  });

  it("stops: nobody gets it whose mail was not under way, and a mail under way that fails is not tried again", async () => {
    await addMembers(backend, "stop", 5);
    const { id } = await sendLetter(ada);
    const due = await claim();
    for (const one of due.slice(0, 4)) await queue(one);
    await backend.sql("delete from private.email_outbox where kind = 'letter-trial' returning 1 as ok");
    const { data: leased } = await backend.service
      .rpc("claim_due_mail", { batch_size: 3, lease_seconds: 60, letters: true })
      .throwOnError();
    expect(leased).toHaveLength(3);
    await settle(leased[0].id, "delivered");
    expect((await ada.rpc("stop_letter", { letter_id: id })).data).toBe(3);
    expect(await findLetter(ada, id)).toMatchObject({ state: "stopped", waiting: 2, delivered: 1, to_count: 5 });
    expect(await claim()).toEqual([]);
    await queue(due[4]!);
    await settle(leased[1].id, "retry", "smtp-421");
    await settle(leased[2].id, "delivered");
    expect(await findLetter(ada, id)).toMatchObject({ state: "stopped", waiting: 0, delivered: 2 });
    expect((await ada.rpc("stop_letter", { letter_id: id })).data).toBe(2);
    expect((await readLog("letter-stopped")).at(-1)).toEqual({ people_count: 3 });
  });

  it("leases letters only while no other mail is due", async () => {
    await addMembers(backend, "lane", 2);
    await sendLetter(ada);
    for (const one of await claim()) await queue(one);
    const lease = async (letters?: boolean) =>
      (
        await backend.service.rpc("claim_due_mail", { batch_size: 9, lease_seconds: 60, letters }).throwOnError()
      ).data.map(({ kind }: { kind: string }) => kind);
    // The admin's own copy is due.
    expect(await lease(true)).toEqual([]);
    expect(await lease()).toEqual(["letter-trial"]);
    expect(await lease(true)).toEqual(["letter", "letter"]);
    expect(await lease()).toEqual([]);
  });

  it("pauses a member whose mailbox alone refuses a letter, until they say that mail may come again", async () => {
    const { email, token } = await join(backend);
    const { id } = await sendLetter(ada);
    for (const one of await claim()) await queue(one);
    const [mail] = (await listMails()).filter(({ recipient }) => recipient === email);
    await settle(mail!.id, "rejected", "smtp-550");
    expect(await findLetter(ada, id)).toMatchObject({ state: "sent", refused: 1, delivered: 0 });
    const find = async () => (await backend.client().rpc("find_membership", { token })).data;
    expect(await find()).toMatchObject({ paused_at: expect.any(String), pause_reason: "smtp-550" });
    expect((await backend.client().rpc("resubscribe_member", { token })).data).toBe(true);
    expect(await find()).toMatchObject({ paused_at: null, pause_reason: null });
  });

  it("stops all mail by a token alone, deletes the membership after seven days, and can be taken back until then", async () => {
    const member = await join(backend);
    const { token } = member;
    const call = async (name: string, secret = token) => (await backend.client().rpc(name, { token: secret })).data;
    for (const unknown of ["A".repeat(64), "x", token]) expect(await call("unsubscribe_member", unknown)).toBe(false);
    const letter = await tokenOf(backend, member.email, "letter");
    const readState = async (secret: string) => (await backend.client().rpc("find_mail_state", { token: secret })).data;
    expect(await readState(letter)).toEqual([{ unsubscribed_at: null, deleted_on: null }]);
    for (const repeated of [true, true]) expect(await stopMail(member.email)).toBe(repeated);
    expect(await readState(letter)).toEqual([
      { unsubscribed_at: expect.any(String), deleted_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    ]);
    // A letter's link opens nothing else.
    expect(await readState(token)).toEqual([]);
    for (const name of ["find_membership", "resubscribe_member", "leave_network"])
      expect(await call(name, letter)).toBe(name === "find_membership" ? null : false);
    expect(await call("find_membership")).toMatchObject({
      unsubscribed_at: expect.any(String),
      deleted_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    const age = (days: number) =>
      backend.sql(
        "update public.network_members set unsubscribed_at = unsubscribed_at - make_interval(days => $1) returning 1 as ok",
        [days],
      );
    const keep = async () =>
      (await backend.service.rpc("keep_retention", { source: "test" }).throwOnError()).data?.members;
    await age(6);
    expect(await keep()).toBe(0);
    expect(await call("resubscribe_member")).toBe(true);
    expect(await call("find_membership")).toMatchObject({ unsubscribed_at: null, deleted_on: null });
    await stopMail(member.email);
    await age(8);
    expect(await keep()).toBe(1);
    expect(await findMember(backend, member.email)).toBeUndefined();
    expect(await call("resubscribe_member")).toBe(false);
  });

  it("keeps a letter for 30 days and as long as a membership that got it, and its log line after that", async () => {
    const { token, email } = await join(backend);
    const { id } = await sendLetter(ada);
    const exportLetters = async () => {
      const request = await receiveConfirmed(backend, { email, type: "access" });
      const { data } = await ada.rpc("export_subject_data", { request_id: request.id }).throwOnError();
      return data.membership.letters;
    };
    for (const one of await claim()) await queue(one);
    const [mail] = (await listMails()).filter(({ kind }) => kind === "letter");
    expect(await exportLetters()).toEqual([]);
    await settle(mail!.id, "delivered");
    const { subject, body } = exampleLetter;
    expect(await exportLetters()).toEqual([{ subject, body, sent_at: expect.any(String) }]);
    const keep = async () =>
      (await backend.service.rpc("keep_retention", { source: "test" }).throwOnError()).data?.letters;
    expect(await keep()).toBe(0);
    await backend.client().rpc("leave_network", { token }).throwOnError();
    expect(await keep()).toBe(0);
    // The admin who stops a letter has its page for a while, too.
    const setTimes = (times: string) =>
      backend.sql(`update public.network_letters set ${times} where id = $1 returning 1 as ok`, [id]);
    await setTimes("sent_at = now() - interval '31 days', stopped_at = now()");
    expect(await keep()).toBe(0);
    await setTimes("stopped_at = now() - interval '31 days'");
    expect(await keep()).toBe(1);
    expect(await findLetter(ada, id)).toBeNull();
    expect((await readLog("letter-sent")).length).toBeGreaterThan(0);
  });

  it("lets no role read the table, and only admins call functions", async () => {
    await addMembers(backend, "role", 1);
    const { id } = await sendLetter(ada);
    const roles = { anonymous: backend.client(), "signed-in": backend.client(person.token), service: backend.service };
    const read = "select * from public.network_letters";
    for (const who of ["anon", "service_role", person, admin] as const)
      expect(await refusal(backend, who, read)).toBe("42501");
    const calls: [string, Record<string, unknown>][] = [
      ["list_letters", {}],
      ["find_letter", { letter_id: id }],
      ["save_letter", { letter_id: randomUUID(), ...exampleLetter, seen_version: 0 }],
      ["delete_letter", { letter_id: id }],
      ["count_letter_recipients", { to_states: ["confirmed"] }],
      ["try_letter", { letter_id: id, mail: { subject: "x", body: "x" }, footer: exampleFooter, seen_version: 1 }],
      ["send_letter", { letter_id: id, expected: 1, footer: exampleFooter, seen_version: 1 }],
      ["stop_letter", { letter_id: id }],
      ["resend_letter", { letter_id: id }],
    ];
    const workers: [string, Record<string, unknown>][] = [
      ["claim_letter_recipients", { per_hour: 1 }],
      ["queue_letter_mail", { letter_id: id, member_id: randomUUID(), mail: {} }],
    ];
    for (const [role, client] of Object.entries(roles))
      for (const [name, parameters] of [...calls, ...(role === "service" ? [] : workers)])
        expect([role, name, (await client.rpc(name, parameters)).error?.code]).toEqual([role, name, "42501"]);
    for (const [name, parameters] of workers) expect((await ada.rpc(name, parameters)).error?.code).toBe("42501");
    for (const who of [admin, "anon", "service_role"] as const)
      for (const write of ["update public.network_letters set body = 'x'", "delete from public.network_letters"])
        expect([write, await refusal(backend, who, write)]).toEqual([write, "42501"]);
  });
});
