import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, it } from "vitest";
import {
  networkCheckSizes,
  networkFields,
  networkKinds,
  networkLimits,
  networkQualifications,
} from "#supabase/functions/_shared/network-fields.ts";
import { eachBackend } from "../support/backends.ts";
import { receive } from "../support/examples.ts";
import {
  ageLinks,
  ageMember,
  ask,
  byToken,
  callAsk,
  countDepartures,
  exampleDetails,
  findMember,
  join,
  readMemberActions,
  readNetworkMails,
  tokenOf,
} from "../support/network.ts";
import { findTablesWith } from "../../support/find-text.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("membership of the network", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });

  const change = (token: string, details: unknown, seen_version: number | null, client = backend.client()) =>
    client.rpc("change_membership", { token, details, seen_version });

  it("stores an ask with its message, and confirms it by the link", async () => {
    const { email, token, submissionId } = await ask(backend);
    expect(submissionId).toMatch(/^[0-9a-f-]{36}$/);
    const asked = await byToken(backend, "find_membership", token);
    expect(asked).toEqual({
      state: "asked",
      name: "Ada Lovelace",
      email,
      company: "Engines Ltd",
      ...exampleDetails,
      asked_at: expect.any(String),
      confirmed_at: null,
      renewal_asked_at: null,
      pending: null,
      pending_digest: "",
      link_ends_at: expect.any(String),
      is_restricted: false,
      version: 0,
      paused_at: null,
      pause_reason: null,
      unsubscribed_at: null,
      deleted_on: null,
    });
    expect(await readNetworkMails(backend, email)).toHaveLength(1);
    const confirmed = await byToken(backend, "confirm_membership", token);
    expect(confirmed).toMatchObject({ state: "confirmed", confirmed_at: expect.any(String), version: 1 });
    // A reload, and the page afterwards.
    expect(await byToken(backend, "confirm_membership", token)).toEqual(confirmed);
    expect(await byToken(backend, "find_membership", token)).toEqual(confirmed);
    expect(await readMemberActions(backend, email)).toEqual(["member asked", "member confirmed"]);
  });

  it("stores an ask without the optional parts, and a message without one", async () => {
    const membership = { kind: null, fields: undefined, check_size: null, place: null, qualification: null };
    const { email } = await ask(backend, { membership });
    expect(await findMember(backend, email)).toMatchObject({ ...membership, fields: [], place: null });
    const alone = await ask(backend, { membership: { fields: null } });
    expect(await findMember(backend, alone.email)).toMatchObject({ fields: [] });
    const before = await backend.sql("select count(*)::int as n from public.network_members");
    await receive(backend.service).throwOnError();
    expect(await backend.sql("select count(*)::int as n from public.network_members")).toEqual(before);
  });

  it("accepts exactly the values that the forms offer", async () => {
    for (const [column, values] of [
      ["kind", networkKinds],
      ["fields", networkFields],
      ["check_size", networkCheckSizes],
      ["qualification", networkQualifications],
    ] as const) {
      const [check] = await backend.sql<{ definition: string }>(
        "select pg_get_constraintdef(oid) as definition from pg_constraint where conname = $1",
        [`network_members_${column}_check`],
      );
      const accepted = [...check!.definition.matchAll(/'([^']+)'/g)].map(([, value]) => value);
      expect([column, accepted]).toEqual([column, [...values]]);
    }
    for (const [column, limit] of Object.entries(networkLimits)) {
      const sizes = (length: number) => ({ [column]: "x".repeat(length) });
      const send = (values: Record<string, string>) =>
        callAsk(backend.service, column === "place" ? { membership: values } : { submission: values });
      expect([column, (await send(sizes(limit))).error]).toEqual([column, null]);
      expect([column, (await send(sizes(limit + 1))).error?.code]).toEqual([column, "23514"]);
    }
  });

  it("stores neither message nor ask when a value is invalid, known address or not", async () => {
    const known = await join(backend);
    const invalid: [Record<string, unknown>, Record<string, unknown>?][] = [
      [{ kind: "spouse" }],
      [{ fields: ["tobacco"] }],
      [{ fields: ["ai", "ai"] }],
      [{ check_size: "1" }],
      [{ place: "x".repeat(101) }],
      [{ place: "Here\nBcc: there" }],
      [{ qualification: "maybe" }],
      [{ consent_text_hash: "none" }],
      [{ consent_text_hash: null }],
      [{}, { name: "Ada\r\nBcc: all@example.com" }],
      [{}, { name: "Ada\u2028Lovelace" }],
      [{}, { email: "nobody" }],
    ];
    const count = () => backend.sql("select count(*)::int as n from public.contact_submissions");
    const before = await count();
    for (const [membership, submission] of invalid) {
      const ofUnknown = await callAsk(backend.service, { membership, submission });
      expect([membership, ofUnknown.error?.code]).toEqual([membership, expect.stringMatching(/^2350[2]$|^23514$/)]);
      const ofKnown = await callAsk(backend.service, { email: known.email, membership, submission });
      expect(ofKnown.error?.code).toBe(ofUnknown.error?.code);
    }
    expect(await count()).toEqual(before);
    expect(await findMember(backend, known.email)).toMatchObject({ pending: null });
  });

  it("changes nothing that is kept by a second ask until it is confirmed", async () => {
    const { email, token } = await join(backend);
    await ageLinks(backend, email);
    const kept = await byToken(backend, "find_membership", token);
    const again = await ask(backend, {
      email: ` ${email.toUpperCase()}`,
      submission: { name: "Ada King", message: "Another" },
      membership: { kind: "fund", fields: [], place: null },
    });
    const pending = {
      name: "Ada King",
      company: "Engines Ltd",
      kind: "fund",
      fields: [],
      check_size: "25k-100k",
      place: null,
      qualification: "income",
    };
    expect(await byToken(backend, "find_membership", again.token)).toEqual({
      ...kept,
      pending,
      pending_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      link_ends_at: expect.any(String),
    });
    const confirmed = await byToken(backend, "confirm_membership", again.token);
    expect(confirmed).toMatchObject({ ...pending, state: "confirmed", pending: null });
    expect(await byToken(backend, "confirm_membership", again.token)).toEqual(confirmed);
    expect(await readMemberActions(backend, email)).toEqual([
      "member asked",
      "member confirmed",
      "member asked-again",
      "member changed",
    ]);
  });

  it("discards a second ask on request", async () => {
    const { email, token } = await join(backend);
    await ageLinks(backend, email);
    const kept = await byToken(backend, "find_membership", token);
    const again = await ask(backend, { email, membership: { kind: "lender" } });
    const still = { ...kept, link_ends_at: expect.any(String) };
    for (let press = 0; press < 2; press += 1)
      expect(await byToken(backend, "discard_membership_change", again.token)).toEqual(still);
    expect(await readMemberActions(backend, email)).toEqual([
      "member asked",
      "member confirmed",
      "member asked-again",
      "member change-discarded",
    ]);
  });

  it("never admits or declines a member by a second ask", async () => {
    const { email, id } = await join(backend);
    await admin
      .rpc("review_network_member", { member_id: id, action: "declined", note: null, seen_version: 1 })
      .throwOnError();
    await ageLinks(backend, email);
    const { token } = await ask(backend, { email, membership: { kind: "lender" } });
    expect(await byToken(backend, "confirm_membership", token)).toMatchObject({ state: "declined", kind: "lender" });
  });

  it("lets a member change the details, but not over a change that they did not see", async () => {
    const { email, token } = await join(backend);
    const details = {
      ...exampleDetails,
      name: "Ada King",
      company: "King & Co",
      kind: null,
      fields: [],
      place: "Kent",
    };
    expect((await change(token, details, 1).throwOnError()).data).toMatchObject({ ...details, version: 2 });
    expect((await change(token, { name: "Ada" }, 1)).error?.code).toBe("PT409");
    expect((await change(token, { name: "Ada" }, null)).error?.code).toBe("PT409");
    // The same again is no change, and other columns are none of theirs.
    const more = { ...details, state: "admitted", email: "other@example.com", confirmed_at: null };
    expect((await change(token, more, 2).throwOnError()).data).toMatchObject({ ...details, email, version: 2 });
    expect(await readMemberActions(backend, email)).toEqual(["member asked", "member confirmed", "member changed"]);
    for (const invalid of [
      { name: "" },
      { name: null },
      { company: "a\nb" },
      { fields: "ai" },
      { fields: { ai: 1 } },
      { fields: [["ai"], ["devices"]] },
      { fields: [["ai"], ["ai", "devices"]] },
      { fields: ["ai", "ai"] },
      { fields: [null] },
      { kind: "x" },
      { name: "\u200b" },
      { company: "Engines\u202edtL" },
      { place: ["Vermont"] },
      { name: { first: "Ada" } },
      { company: 1 },
      [1],
      null,
    ]) {
      const { error } = await change(token, invalid, 2);
      expect([invalid, error?.code]).toEqual([invalid, expect.stringMatching(/^23514$|^23502$/)]);
    }
    expect(await byToken(backend, "find_membership", token)).toMatchObject({ ...details, version: 2 });
  });

  it("refuses changes before confirmation", async () => {
    const { token } = await ask(backend);
    expect((await change(token, { name: "Ada" }, 0)).error?.code).toBe("55000");
  });

  it("deletes everything at once when a member leaves, except a salted digest", async () => {
    const { email, token, submissionId, id } = await join(backend);
    await admin.rpc("delete_submission", { submission_id: submissionId }).throwOnError();
    await admin
      .rpc("review_network_member", { member_id: id, action: "noted", note: `Met ${email}`, seen_version: 1 })
      .throwOnError();
    expect(await byToken(backend, "leave_network", token)).toBe(true);
    expect(await byToken(backend, "leave_network", token)).toBe(false);
    expect(await byToken(backend, "find_membership", token)).toBeNull();
    for (const text of [email, id])
      expect(await findTablesWith((query, parameters) => backend.sql(query, parameters), text)).toEqual([]);
    const [departure] = await backend.sql<Record<string, string>>(
      `select reference, email_hash from private.network_departures
       where private.is_salted_digest_of(email_hash, private.digest($1))`,
      [email],
    );
    expect(departure).toEqual({
      reference: expect.stringMatching(/^NW-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/),
      email_hash: expect.stringMatching(/^[0-9a-f]{96}$/),
    });
  });

  it("clears the digest when a person who left joins anew", async () => {
    const { email, token } = await join(backend);
    await byToken(backend, "leave_network", token);
    expect(await countDepartures(backend, email)).toBe(1);
    const again = await ask(backend, { email });
    expect(await countDepartures(backend, email)).toBe(1);
    await byToken(backend, "confirm_membership", again.token);
    expect(await countDepartures(backend, email)).toBe(0);
  });

  it("returns null for malformed, unknown, forged and expired tokens", async () => {
    const { email, token } = await ask(backend);
    // The id of another member with this one's code, and this member's link for letters.
    const swapped = `${(await ask(backend)).token.slice(0, 21)}${token.slice(21)}`;
    const forged = [
      null,
      "",
      "abc",
      "x".repeat(43),
      `${token.slice(0, -1)}%`,
      `${token}A`,
      swapped,
      await tokenOf(backend, email, "letter"),
      "' or true --",
    ];
    for (const wrong of forged) {
      for (const name of ["find_membership", "confirm_membership", "discard_membership_change"] as const)
        expect([wrong, await byToken(backend, name, wrong)]).toEqual([wrong, null]);
      expect(
        (await backend.client().rpc("change_membership", { token: wrong, details: {}, seen_version: 0 })).data,
      ).toBeNull();
      expect(await byToken(backend, "leave_network", wrong)).toBe(false);
    }
    await ageMember(backend, email, "asked_at", "7 days");
    expect(await byToken(backend, "find_membership", token)).toBeNull();
    expect(await byToken(backend, "confirm_membership", token)).toBeNull();
    expect(await findMember(backend, email)).toMatchObject({ state: "asked" });
  });

  it("opens a member's page for 30 days, until the next link, or until the member ends it", async () => {
    const { email, token } = await join(backend);
    await ageMember(backend, email, "asked_at, confirmed_at, renewed_at", "1 year");
    expect(await byToken(backend, "find_membership", token)).toMatchObject({ state: "confirmed" });
    await ageLinks(backend, email);
    const { token: next } = await ask(backend, { email, membership: { kind: "fund" } });
    expect(await byToken(backend, "find_membership", token)).toBeNull();
    expect(await byToken(backend, "end_page_links", token)).toBe(false);
    expect(await byToken(backend, "end_page_links", next)).toBe(true);
    for (const ended of [token, next]) expect(await byToken(backend, "find_membership", ended)).toBeNull();
    expect((await readMemberActions(backend, email)).at(-1)).toBe("member links-ended");
    await ageMember(backend, email, "page_link_at", "29 days");
    const last = await tokenOf(backend, email);
    expect(await byToken(backend, "find_membership", last)).not.toBeNull();
    await ageMember(backend, email, "page_link_at", "1 day");
    expect(await byToken(backend, "find_membership", await tokenOf(backend, email))).toBeNull();
  });

  it("stops mail by a letter of before, after later links and a changed key, but for 60 days", async () => {
    const { email, token } = await join(backend);
    const letter = await tokenOf(backend, email, "letter");
    await byToken(backend, "end_page_links", token);
    await ageLinks(backend, email);
    await ask(backend, { email, membership: { kind: "fund" } });
    const stops = async (secret: string) =>
      (await backend.client().rpc("unsubscribe_member", { token: secret }).throwOnError()).data;
    expect(await stops(letter)).toBe(true);
    const page = await tokenOf(backend, email);
    await backend.sql("select private.change_link_key() as ok");
    expect(await byToken(backend, "find_membership", page)).toBeNull();
    expect(await stops(letter)).toBe(true);
    const later = await tokenOf(backend, email, "letter");
    expect(later).not.toBe(letter);
    await backend.sql("update private.link_keys set ended_at = ended_at - interval '60 days' returning 1 as ok");
    expect(await stops(letter)).toBe(false);
    expect(await stops(later)).toBe(true);
  });

  it("confirms and discards only the wish that the page showed", async () => {
    const { email } = await join(backend);
    await ageLinks(backend, email);
    const { token } = await ask(backend, { email, membership: { kind: "fund" } });
    const { pending_digest: seen } = await byToken(backend, "find_membership", token);
    await ask(backend, { email, membership: { kind: "lender" } });
    const later = await tokenOf(backend, email);
    const decide = async (name: string, shown: string | null) =>
      (await backend.client().rpc(name, { token: later, shown })).error?.code ?? null;
    for (const name of ["confirm_membership", "discard_membership_change"])
      for (const shown of [seen, "", null])
        expect([name, shown, await decide(name, shown)]).toEqual([name, shown, "PT409"]);
    expect(await findMember(backend, email)).toMatchObject({ kind: "angel", pending: { kind: "lender" } });
    // The same details with another proof of consent are another wish.
    await ask(backend, { email, membership: { kind: "lender", consent_policy_version: "1.1" } });
    const latest = await tokenOf(backend, email);
    const { pending_digest: present } = await byToken(backend, "find_membership", latest);
    expect(present).not.toBe(seen);
    expect(await byToken(backend, "confirm_membership", latest, present)).toMatchObject({
      kind: "lender",
      pending: null,
    });
    // A second press of the same button.
    expect(await byToken(backend, "confirm_membership", latest, present)).toMatchObject({ kind: "lender" });
  });

  it("settles concurrent confirmations and leaving in any order", async () => {
    const { email, token } = await ask(backend);
    const results = await Promise.all([
      ...Array.from({ length: 5 }, () => byToken(backend, "confirm_membership", token)),
      byToken(backend, "leave_network", token),
      byToken(backend, "leave_network", token),
    ]);
    expect(results.filter((result) => result === true)).toHaveLength(1);
    expect(await findMember(backend, email)).toBeUndefined();
    expect(await byToken(backend, "confirm_membership", token)).toBeNull();
    expect(await countDepartures(backend, email)).toBe(1);

    const other = await ask(backend);
    await Promise.all(Array.from({ length: 5 }, () => byToken(backend, "confirm_membership", other.token)));
    expect(await readMemberActions(backend, other.email)).toEqual(["member asked", "member confirmed"]);
  });

  it("keeps the log append-only", async () => {
    const { id } = await join(backend);
    for (const statement of [
      "update public.network_events set note = 'x' where member_id = $1 returning 1 as ok",
      "delete from public.network_events where member_id = $1 returning 1 as ok",
    ])
      await expect(backend.sql(statement, [id])).rejects.toMatchObject({ code: "42501" });
  });
});
