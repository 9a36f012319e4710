import type { SupabaseClient } from "@supabase/supabase-js";
import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { newAddress, receiveConfirmed } from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { list } from "../support/inbox.ts";
import {
  ageLinks,
  ageMember,
  ask,
  byToken,
  countDepartures,
  exampleDetails,
  findMember,
  join,
  linkMail,
  readMemberActions,
  readNetworkMails,
  tokenOf,
} from "../support/network.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

eachBackend("admins' work on the network", (backend) => {
  let person: Person;
  let admin: SupabaseClient;

  beforeAll(async () => {
    person = await signInAdmin(backend);
    admin = backend.client(person.token);
  });

  const review = (member_id: string, action: string | null, note: string | null, seen_version: number) =>
    admin.rpc("review_network_member", { member_id, action, note, seen_version });
  const read = async (member_id: string) => (await admin.rpc("find_network_member", { member_id }).throwOnError()).data;
  const remove = (member_id: string) => admin.rpc("remove_network_member", { member_id });
  const sendLink = async (member_id: string) => {
    const { error } = await admin.rpc("send_network_link", { member_id, mail: linkMail });
    const member = (await read(member_id)) as { email: string } | null;
    return { token: member && (await tokenOf(backend, member.email)), code: error?.code ?? null };
  };

  it("shows a member with log, mails and messages, and links the message to the member", async () => {
    const { email, id, submissionId } = await join(backend, { submission: { name: "=1+1" } });
    const { data: later } = await receive(backend.service, { submission: { email: email.toUpperCase() } });
    await review(id, "noted", "  Met in June\n", 1).throwOnError();
    await review(id, "admitted", null, 1).throwOnError();
    const member = await read(id);
    expect(member).toMatchObject({
      ...exampleDetails,
      id,
      email,
      name: "=1+1",
      state: "admitted",
      decided_at: expect.any(String),
      pending: null,
      version: 2,
      mails: [{ kind: "network", subject: linkMail.subject, delivered_at: null, gave_up_at: null, code: null }],
    });
    expect(member).not.toHaveProperty("frozen_at");
    expect(member.messages.map((message: { id: string }) => message.id)).toEqual([later!.submission_id, submissionId]);
    const log = member.events.map((event: Record<string, string>) => [
      event.actor_kind,
      event.actor,
      event.action,
      event.note,
    ]);
    expect(log).toEqual([
      ["member", null, "asked", null],
      ["member", null, "confirmed", null],
      ["admin", person.email, "noted", "Met in June"],
      ["admin", person.email, "admitted", null],
    ]);
    const { data: message } = await admin.rpc("find_submission", { submission_id: submissionId }).throwOnError();
    expect(message.member_id).toBe(id);
    const { rows } = await list(admin, { folder: "all", search: email });
    expect(rows.map(({ member_id }) => member_id)).toEqual([id, id]);
    expect(await read(randomUUID())).toBeNull();
  });

  it("reviews confirmed members only, with the version that the admin saw", async () => {
    const asked = await ask(backend);
    const unconfirmed = (await findMember(backend, asked.email))!.id as string;
    for (const action of ["noted", "admitted", "declined"])
      expect((await review(unconfirmed, action, "Known", 0)).error?.code).toBe("55000");
    const { id, email } = await join(backend);
    expect((await review(id, "admitted", null, 0)).error?.code).toBe("PT409");
    expect((await review(id, "noted", null, 1)).error?.code).toBe("22023");
    expect((await review(id, "noted", " \n", 1)).error?.code).toBe("22023");
    expect((await review(id, "admitted", "x".repeat(2001), 1)).error?.code).toBe("22023");
    for (const action of ["confirmed", "asked", "left", null])
      expect((await review(id, action, null, 1)).error?.code).toBe("22023");
    expect((await review(randomUUID(), "admitted", null, 1)).error?.code).toBe("P0002");
    await review(id, "admitted", null, 1).throwOnError();
    expect((await review(id, "declined", "Too far", 1)).error?.code).toBe("PT409");
    await review(id, "declined", "Later", 2).throwOnError();
    await review(id, "admitted", "After all", 3).throwOnError();
    // A form that is posted twice.
    await review(id, "noted", "Called", 4).throwOnError();
    await review(id, "noted", "Called", 4).throwOnError();
    expect((await readMemberActions(backend, email)).slice(3)).toEqual([
      "admin declined",
      "admin admitted",
      "admin noted",
    ]);
  });

  it("lists members by state, kind and field, with counts, the newest first", async () => {
    await backend.exec(
      "set private.erases_log = 'on'; delete from public.network_members; set private.erases_log = 'off'",
    );
    await backend.exec("delete from private.network_departures");
    const old = await join(backend, { membership: { kind: "fund", fields: ["ai"] } });
    await ageMember(backend, old.email, "asked_at, confirmed_at", "2 days");
    const fresh = await join(backend, { membership: { kind: "angel", fields: ["ai", "devices"] } });
    const asked = await ask(backend, { membership: { kind: null, fields: [] } });
    await ageMember(backend, asked.email, "asked_at", "1 day");
    await byToken(backend, "leave_network", (await join(backend)).token);
    const find = async (filters: Record<string, unknown>) => {
      const { data } = await admin.rpc("list_network_members", filters).throwOnError();
      return { ...data, members: data.members.map(({ email }: { email: string }) => email) };
    };
    const counts = { asked: 1, confirmed: 2, admitted: 0, declined: 0, left: 1 };
    expect(await find({})).toEqual({ members: [fresh.email, asked.email, old.email], total: 3, counts });
    expect(await find({ state: "confirmed" })).toEqual({ members: [fresh.email, old.email], total: 2, counts });
    expect(await find({ kind: "fund" })).toEqual({ members: [old.email], total: 1, counts });
    expect(await find({ field: "ai" })).toMatchObject({ members: [fresh.email, old.email] });
    expect(await find({ field: "devices", kind: "fund" })).toMatchObject({ members: [], total: 0 });
    expect(await find({ kind: "' or true --" })).toMatchObject({ members: [], total: 0 });
    expect(await find({ page: 2, page_size: 2 })).toEqual({ members: [old.email], total: 3, counts });
    expect(await find({ page: 0, page_size: 0 })).toMatchObject({ members: [fresh.email] });
    expect(await find({ page: 2_147_483_647, page_size: 100 })).toMatchObject({ members: [], total: 3 });
    const { data } = await admin.rpc("list_network_members", {}).throwOnError();
    expect(Object.keys(data.members[0]).toSorted()).toEqual(
      // prettier-ignore
      ["asked_at", "check_size", "company", "confirmed_at", "decided_at", "email", "fields", "id", "kind", "link_waits", "name", "place",
        "refusal", "state", "undelivered_at", "unsubscribed_at"],
    );
  });

  it("exports the matching members in one array, and logs that", async () => {
    const { email } = await join(backend, { membership: { kind: "lender", place: "=cmd" } });
    const exports = "select id from public.admin_events where action = 'members-exported'";
    const countExports = async () => (await backend.sql(exports)).length;
    const before = await countExports();
    const { data } = await admin.rpc("export_network_members", { kind: "lender" }).throwOnError();
    expect(data).toMatchObject([{ email, place: "=cmd", consent_text_hash: "c".repeat(64) }]);
    expect(await countExports()).toBe(before + 1);
  });

  it("sends a link at most every ten minutes, also to a person whose message was held back", async () => {
    const held = await ask(backend, { quarantineReason: "honeypot" });
    expect(await readNetworkMails(backend, held.email)).toEqual([]);
    const id = (await findMember(backend, held.email))!.id as string;
    await ageMember(backend, held.email, "asked_at", "6 days 23 hours");
    const sent = await sendLink(id);
    expect(sent.code).toBeNull();
    expect(await readNetworkMails(backend, held.email)).toHaveLength(1);
    expect((await sendLink(id)).code).toBe("55000");
    await ageLinks(backend, held.email);
    // Seven days from the mail.
    await ageMember(backend, held.email, "asked_at", "6 days");
    expect(await byToken(backend, "confirm_membership", sent.token)).toMatchObject({ state: "confirmed" });
    expect(await readMemberActions(backend, held.email)).toEqual([
      "member asked",
      "admin link-sent",
      "member confirmed",
    ]);
    expect((await sendLink(randomUUID())).code).toBe("P0002");
  });

  it("removes a member like leaving, unless they have asked for their data", async () => {
    const { id, email } = await join(backend);
    await receiveConfirmed(backend, { email, type: "access" });
    expect((await remove(id)).error?.code).toBe("55006");
    const other = await join(backend);
    await remove(other.id).throwOnError();
    expect(await findMember(backend, other.email)).toBeUndefined();
    expect(await countDepartures(backend, other.email)).toBe(1);
    expect((await remove(other.id)).error?.code).toBe("P0002");
    const logged = await backend.sql("select * from public.admin_events where action = 'member-removed'");
    expect(logged).toMatchObject([{ actor: person.id, person: null, submission_id: null, replaced: null }]);
  });

  it("pauses a member whose mailbox refuses mail, and says so on their page only", async () => {
    const { email, id, token } = await join(backend);
    const [mail] = await readNetworkMails(backend, email);
    await backend.service
      .rpc("settle_mails", { attempts: [{ mail_id: mail!.id, outcome: "rejected", error_code: "smtp-550" }] })
      .throwOnError();
    expect(await read(id)).toMatchObject({ paused_at: expect.any(String), mails: [{ code: "smtp-550" }] });
    const { data: listed } = await admin.rpc("list_network_members", { page_size: 100 }).throwOnError();
    const row = listed.members.find((member: { id: string }) => member.id === id);
    expect(row).toMatchObject({ refusal: "smtp-550", undelivered_at: expect.any(String) });
    const { data: undelivered } = await admin.rpc("list_undelivered").throwOnError();
    expect(undelivered.undelivered).toEqual([]);
    const { data: shown } = await admin.rpc("find_mail", { mail_id: mail!.id }).throwOnError();
    expect(shown).toMatchObject({ member: { id, name: "Ada Lovelace" }, is_resendable: false, recipient: email });
    await ageLinks(backend, email);
    expect((await sendLink(id)).code).toBeNull();
    expect(await read(id)).toMatchObject({ paused_at: expect.any(String), may_get_link: true });
    expect(await byToken(backend, "find_membership", token)).toBeNull();
  });

  it("counts members who await a review in the digest, and names nobody", async () => {
    const { data } = await backend.service.rpc("list_firm_notices", { morning: "2030-01-01" }).throwOnError();
    const [row] = await backend.sql<{ n: number }>(
      "select count(*)::int as n from public.network_members where state = 'confirmed' and frozen_at is null",
    );
    expect(row!.n).toBeGreaterThan(0);
    expect(data.digest.network_confirmed).toBe(row!.n);
    expect(JSON.stringify(data.digest)).not.toContain("example.com");
  });

  it("counts asks, confirmations and departures by day", async () => {
    await backend.exec("delete from private.day_counts");
    const { token } = await join(backend, { email: newAddress() });
    await ask(backend, { quarantineReason: "honeypot" });
    await byToken(backend, "leave_network", token);
    await byToken(backend, "leave_network", (await ask(backend)).token);
    const days = { first_day: "2000-01-01", last_day: "2100-01-01", by_month: true };
    const { data } = await admin.rpc("read_day_counts", days).throwOnError();
    const time = expect.stringMatching(/^\d{4}-\d\d$/);
    expect(data).toEqual({
      times: [],
      names: [],
      network: [
        { time, name: "asked", number: 2 },
        { time, name: "confirmed", number: 1 },
        { time, name: "left", number: 1 },
      ],
    });
  });
});
