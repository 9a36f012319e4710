import { expect, it } from "vitest";
import {
  networkCheckSizes,
  networkFields,
  networkKinds,
  networkLimits,
  networkQualifications,
} from "#supabase/functions/_shared/network-fields.ts";
import { call, useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receive } from "../support/examples.ts";
import { callAsk, exampleDetails, useNetwork } from "../support/network.ts";
import { findTablesWith } from "../../support/find-text.ts";

eachBackend("membership of the network", (backend) => {
  const admin = useAdmin(backend);
  const network = useNetwork(backend);

  const change = (token: string | null, details: unknown, seen_version: number | null) =>
    call(backend.client(), "change_membership", { token, details, seen_version });
  const count = (table: string) => backend.sql(`select count(*)::int as n from ${table}`);

  it("begins with an ask, and is confirmed by the link", async () => {
    const { email, token } = await network.ask();
    expect(await network.open(token)).toEqual({
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
    expect(await network.readMails(email)).toHaveLength(1);
    expect(await change(token, { name: "Ada" }, 0)).toBe("55000");
    const confirmed = await network.confirm(token);
    expect(confirmed).toMatchObject({ state: "confirmed", confirmed_at: expect.any(String), version: 1 });
    // A reload, and the page afterwards.
    expect(await network.confirm(token)).toEqual(confirmed);
    expect(await network.open(token)).toEqual(confirmed);
    expect(await network.readActions(email)).toEqual(["member asked", "member confirmed"]);
  });

  it("needs no optional part of the form, and begins with no message that does not ask", async () => {
    const membership = { kind: null, fields: undefined, check_size: null, place: null, qualification: null };
    const { email } = await network.ask({ membership });
    expect(await network.find(email)).toMatchObject({ ...membership, fields: [] });
    const alone = await network.ask({ membership: { fields: null } });
    expect(await network.find(alone.email)).toMatchObject({ fields: [] });
    const before = await count("public.network_members");
    await receive(backend.service).throwOnError();
    expect(await count("public.network_members")).toEqual(before);
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
      const send = async (length: number) => {
        const values = { [column]: "x".repeat(length) };
        const ofPlace = column === "place" ? { membership: values } : { submission: values };
        return (await callAsk(backend.service, ofPlace)).error?.code;
      };
      expect([column, await send(limit), await send(limit + 1)]).toEqual([column, undefined, "23514"]);
    }
  });

  it("stores neither message nor ask when a value is invalid, known address or not", async () => {
    const known = await network.join();
    const invalid: [Record<string, unknown>, Record<string, unknown>?][] = [
      [{ kind: "spouse" }],
      [{ fields: ["ai", "ai"] }],
      [{ place: "Here\nBcc: there" }],
      [{ consent_text_hash: "none" }],
      [{ consent_text_hash: null }],
      [{}, { name: "Ada\r\nBcc: all@example.com" }],
      [{}, { email: "nobody" }],
    ];
    const before = await count("public.contact_submissions");
    for (const [membership, submission] of invalid) {
      const ofUnknown = await callAsk(backend.service, { membership, submission });
      expect([membership, ofUnknown.error?.code]).toEqual([membership, expect.stringMatching(/^23502$|^23514$/)]);
      const ofKnown = await callAsk(backend.service, { email: known.email, membership, submission });
      expect(ofKnown.error?.code).toBe(ofUnknown.error?.code);
    }
    expect(await count("public.contact_submissions")).toEqual(before);
    expect(await network.find(known.email)).toMatchObject({ pending: null });
  });

  it("changes nothing that is kept by a second ask until it is confirmed or discarded", async () => {
    const { email, token } = await network.join();
    const kept = await network.open(token);
    const askAgain = async (kind: string) => {
      await network.ageLinks(email);
      const submission = { email: ` ${email.toUpperCase()}`, name: "Ada King", message: `As a ${kind}` };
      return network.ask({ email, submission, membership: { kind, fields: [], place: null } });
    };
    const lender = await askAgain("lender");
    const still = { ...kept, link_ends_at: expect.any(String) };
    for (let press = 0; press < 2; press += 1) expect(await network.discard(lender.token)).toEqual(still);

    const fund = await askAgain("fund");
    const { pending, ...shown } = await network.open(fund.token);
    expect(shown).toEqual({
      ...kept,
      pending: undefined,
      pending_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      link_ends_at: expect.any(String),
    });
    const { check_size, qualification } = exampleDetails;
    const wish = { name: "Ada King", company: "Engines Ltd", kind: "fund", fields: [], place: null };
    expect(pending).toEqual({ ...wish, check_size, qualification });
    const confirmed = await network.confirm(fund.token);
    expect(confirmed).toMatchObject({ ...pending, state: "confirmed", pending: null });
    expect(await network.confirm(fund.token)).toEqual(confirmed);
    expect((await network.readActions(email)).slice(2)).toEqual([
      "member asked-again",
      "member change-discarded",
      "member asked-again",
      "member changed",
    ]);
  });

  it("confirms and discards only the wish that the page showed", async () => {
    const { email } = await network.join();
    await network.ageLinks(email);
    const { token } = await network.ask({ email, membership: { kind: "fund" } });
    const { pending_digest: seen } = await network.open(token);
    await network.ask({ email, membership: { kind: "lender" } });
    const later = await network.tokenOf(email);
    for (const name of ["confirm_membership", "discard_membership_change"])
      for (const shown of [seen, "", null])
        expect(await call(backend.client(), name, { token: later, shown }), `${name} ${shown}`).toBe("PT409");
    expect(await network.find(email)).toMatchObject({ kind: "angel", pending: { kind: "lender" } });
    // The same details with another proof of consent are another wish.
    await network.ask({ email, membership: { kind: "lender", consent_policy_version: "1.1" } });
    const latest = await network.tokenOf(email);
    const { pending_digest: present } = await network.open(latest);
    expect(present).not.toBe(seen);
    // The second is another press of the same button.
    for (let press = 0; press < 2; press += 1)
      expect(await network.confirm(latest, present)).toMatchObject({ kind: "lender", pending: null });
  });

  const details = { ...exampleDetails, name: "Ada King", company: "King & Co", kind: null, fields: [], place: "Kent" };

  it("changes its details for the member, but not over a change that they did not see", async () => {
    const { email, token } = await network.join();
    expect(await change(token, details, 1)).toMatchObject({ ...details, version: 2 });
    for (const seen of [1, null]) expect(await change(token, { name: "Ada" }, seen)).toBe("PT409");
    // The same again is no change, and other columns are none of theirs.
    const more = { ...details, state: "admitted", email: "other@example.com", confirmed_at: null };
    expect(await change(token, more, 2)).toMatchObject({ ...details, email, version: 2 });
    expect((await network.readActions(email)).slice(2)).toEqual(["member changed"]);
  });

  it("refuses details that are invalid or of another type", async () => {
    const { token } = await network.join();
    const invalid: [unknown, string][] = [
      [{ name: "" }, "23514"],
      [{ name: null }, "23502"],
      [{ fields: "ai" }, "23514"],
      [{ fields: { ai: 1 } }, "23514"],
      [{ fields: [["ai"], ["devices"]] }, "23514"],
      [{ fields: [["ai"], ["ai", "devices"]] }, "23514"],
      [{ fields: [null] }, "23514"],
      [{ place: ["Vermont"] }, "23514"],
      [{ name: { first: "Ada" } }, "23514"],
      [{ company: 1 }, "23514"],
      [[1], "23514"],
      [null, "23514"],
    ];
    for (const [given, code] of invalid) expect([given, await change(token, given, 1)]).toEqual([given, code]);
    expect(await network.open(token)).toMatchObject({ ...exampleDetails, version: 1 });
  });

  it("leaves nothing but a salted digest when the member leaves, which a confirmed return clears", async () => {
    const { email, token, submissionId, id } = await network.join();
    await admin.client.rpc("delete_submission", { submission_id: submissionId }).throwOnError();
    const review = { member_id: id, action: "noted", note: `Met ${email}`, seen_version: 1 };
    await admin.client.rpc("review_network_member", review).throwOnError();
    expect(await network.leave(token)).toBe(true);
    expect(await network.leave(token)).toBe(false);
    expect(await network.open(token)).toBeNull();
    for (const text of [email, id]) expect(await findTablesWith(backend.sql, text)).toEqual([]);
    const departures = await backend.sql(
      `select reference, email_hash from private.network_departures
       where private.is_salted_digest_of(email_hash, private.digest($1))`,
      [email],
    );
    expect(departures).toEqual([
      {
        reference: expect.stringMatching(/^NW-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/),
        email_hash: expect.stringMatching(/^[0-9a-f]{96}$/),
      },
    ]);
    const again = await network.ask({ email });
    expect(await network.countDepartures(email)).toBe(1);
    await network.confirm(again.token);
    expect(await network.countDepartures(email)).toBe(0);
  });

  it("settles concurrent confirmations and leaving in any order", async () => {
    const { email, token } = await network.ask();
    const confirmOften = (secret: string) => Array.from({ length: 5 }, () => network.confirm(secret));
    const leaveTwice = [network.leave(token), network.leave(token)];
    const results = await Promise.all([...confirmOften(token), ...leaveTwice]);
    expect(results.filter((result) => result === true)).toHaveLength(1);
    expect(await network.find(email)).toBeUndefined();
    expect(await network.countDepartures(email)).toBe(1);

    const other = await network.ask();
    await Promise.all(confirmOften(other.token));
    expect(await network.readActions(other.email)).toEqual(["member asked", "member confirmed"]);
  });

  it.each(["update public.network_events set note = 'x'", "delete from public.network_events"])(
    "has a log that refuses: %s",
    (statement) => expect(backend.sql(`${statement} returning 1 as ok`)).rejects.toMatchObject({ code: "42501" }),
  );
});
