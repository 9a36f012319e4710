import { createHmac, randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { correctableMemberFields } from "~/features/admin/rights-requests/correctable-fields";
import { call } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { useRequests } from "../support/data-rights.ts";
import { claimMails, makeMailsDue } from "../support/mail.ts";
import { byToken, exampleDetails, useNetwork } from "../support/network.ts";
import { keepRetention } from "../support/retention.ts";
import { findTablesWith } from "../../support/find-text.ts";

eachBackend("rights and links of members", (backend) => {
  const requests = useRequests(backend);
  const { admin } = requests;
  const network = useNetwork(backend);

  const visit = (name: string, token: string | null, more = {}) => call(backend.client(), name, { token, ...more });

  /** Asks for a restriction in a member's name, and grants it. */
  async function restrict(email: string) {
    const request = await requests.receiveConfirmed({ email, type: "restrict" });
    await requests.take(request.id, "restrict").throwOnError();
    return request;
  }

  it("exports the membership with its log, but no admin and no working link", async () => {
    const { email, id, token } = await network.join();
    const decision = { member_id: id, action: "admitted", note: "Met in June", seen_version: 1 };
    await admin.client.rpc("review_network_member", decision).throwOnError();
    await network.ageLinks(email);
    await network.ask({ email: email.toUpperCase(), membership: { kind: "fund" } });
    const request = await requests.receiveConfirmed({ email, type: "access" });
    const exported = await requests.exportSubject(request);
    expect(exported.membership).toMatchObject({
      ...exampleDetails,
      email,
      state: "admitted",
      consent_policy_version: "1.0",
      pending: { kind: "fund" },
      events: [
        { by: "member", action: "asked", note: null },
        { by: "member", action: "confirmed", note: null },
        { by: "admin", action: "admitted", note: "Met in June" },
        { by: "member", action: "asked-again", note: null },
      ],
    });
    expect(exported.mails.filter(({ kind }: { kind: string }) => kind === "network")).toHaveLength(2);
    for (const secret of [admin.id, admin.email, token, "token=abc"])
      expect(JSON.stringify(exported)).not.toContain(secret);
    // The page shows what its request can correct.
    expect((await requests.find(request)).membership).toBeNull();
    const other = await requests.receiveConfirmed({ type: "access" });
    expect((await requests.exportSubject(other)).membership).toBeNull();
  });

  it("counts and erases the membership with everything that hangs on it", async () => {
    const { email, id, token } = await network.join({ email: `${randomUUID()}@example.com` });
    const request = await requests.receiveConfirmed({ email, type: "erasure" });
    expect(await requests.previewErasure(request)).toMatchObject({ memberships: 1, submissions: 1 });
    expect((await requests.erase(request).throwOnError()).data).toMatchObject({ memberships: 1 });
    expect(await network.find(email)).toBeUndefined();
    expect(await network.open(token)).toBeNull();
    expect(await findTablesWith(backend.sql, id)).toEqual([]);
    // The last mail about the erasure.
    expect(await findTablesWith(backend.sql, email)).toEqual(["private.email_outbox"]);
  });

  it("freezes a restricted membership for its member, too, who can still leave, also after asking for data", async () => {
    const { email, token } = await network.join();
    await requests.receiveConfirmed({ email, type: "access" });
    await restrict(email);
    expect(await network.open(token)).toMatchObject({ is_restricted: true, state: "confirmed" });
    await network.ageLinks(email);
    await network.ask({ email, membership: { kind: "fund" } });
    const pending = await network.open(token);
    expect(pending).toMatchObject({ ...exampleDetails, pending: { kind: "fund" } });
    expect([await network.confirm(token), await network.discard(token)]).toEqual([pending, pending]);
    const change = { token, details: { place: "Maine" }, seen_version: pending.version };
    expect(await call(backend.client(), "change_membership", change)).toBe("55000");

    expect(await network.leave(token)).toBe(true);
    expect(await network.find(email)).toBeUndefined();
    expect(await network.readMails(email)).toEqual([]);
  });

  it("holds the mail of a restricted member until the restriction is lifted, and a later wish, too", async () => {
    const { email, token } = await network.join();
    const request = await restrict(email);
    await network.ageLinks(email);
    await network.ask({ email, membership: { kind: "fund" } });
    const listClaimed = async () => {
      await makeMailsDue(backend);
      return (await claimMails(backend)).filter(({ kind, recipient }) => kind === "network" && recipient === email);
    };
    expect(await listClaimed()).toEqual([]);
    await requests.take(request.id, "lift").throwOnError();
    await requests.set(request, "restriction_ends_on = private.today()");
    await keepRetention(backend);
    expect(await listClaimed()).toHaveLength(1);
    expect(await network.confirm(token)).toMatchObject({ kind: "fund", is_restricted: false });
    expect((await network.readActions(email)).slice(2)).toEqual([
      "admin restricted",
      "member asked-again",
      "system restriction-lifted",
      "member changed",
    ]);
  });

  it.each(correctableMemberFields)(
    "corrects the %s of a membership, and logs a digest of the old text",
    async (field) => {
      const { email } = await network.join();
      await backend.exec(`delete from public.contact_submissions where email = '${email}'`);
      const request = await requests.receiveConfirmed({ email: email.toUpperCase(), type: "rectification" });
      const find = () => requests.find(request);
      const stored = (await find()).membership;
      expect(Object.keys(stored).toSorted()).toEqual(["company", "id", "name", "place", "version"]);
      const correct = (value: string, more = {}) =>
        admin.call("correct_record", { request_id: request.id, record_id: stored.id, field, value, ...more });
      expect(await correct("Corrected 💚")).toBeNull();
      expect((await find()).membership).toEqual({ ...stored, [field]: "Corrected 💚", version: stored.version + 1 });
      for (const other of ["email", "state", "kind"]) expect(await correct("admitted", { field: other })).toBe("22023");
      expect((await network.readActions(email)).at(-1)).toBe("admin corrected");
      expect((await find()).events.at(-1).note).toMatch(
        new RegExp(`^${field} of the membership. Salted SHA-256 of the old text: [0-9a-f]{96}$`),
      );
    },
  );

  it("opens nothing by a link that is malformed, unknown or forged", async () => {
    const { email, token } = await network.join();
    const forged = [
      null,
      "",
      "abc",
      "x".repeat(43),
      "A".repeat(64),
      `${token.slice(0, -1)}%`,
      `${token}A`,
      // The id of another member with this one's code.
      `${(await network.ask()).token.slice(0, 21)}${token.slice(21)}`,
      // A letter's link stops mail and opens nothing else.
      await network.tokenOf(email, "letter"),
      "' or true --",
    ];
    for (const wrong of forged) {
      for (const name of ["find_membership", "confirm_membership", "discard_membership_change"] as const)
        expect([wrong, await byToken(backend, name, wrong)]).toEqual([wrong, null]);
      expect(await visit("change_membership", wrong, { details: {}, seen_version: 1 })).toBeNull();
      for (const name of ["leave_network", "end_page_links", "resubscribe_member"])
        expect([wrong, await visit(name, wrong)]).toEqual([wrong, false]);
    }
    // A page's link is no letter's.
    for (const wrong of ["A".repeat(64), "x", token]) {
      expect(await visit("unsubscribe_member", wrong)).toBe(false);
      expect(await visit("find_mail_state", wrong)).toEqual([]);
    }
    expect(await network.open(token)).toMatchObject({ state: "confirmed", unsubscribed_at: null });
  });

  it("signs links by HMAC-SHA-256", async () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 8));
    for (const content of ["", "link page é", "x".repeat(200)]) {
      const query = "select encode(private.keyed_digest(decode($1, 'hex'), $2), 'hex') as digest";
      const digest = createHmac("sha256", key).update(content).digest("hex");
      expect(await backend.sql(query, [key.toString("hex"), content])).toEqual([{ digest }]);
    }
  });

  it("opens a member's page by a link for 30 days, until the next link, or until the member ends them", async () => {
    const { email, token } = await network.join();
    await network.age(email, "asked_at, confirmed_at, renewed_at", "1 year");
    expect(await network.open(token)).toMatchObject({ state: "confirmed" });
    await network.ageLinks(email);
    const { token: next } = await network.ask({ email, membership: { kind: "fund" } });
    expect(await network.open(token)).toBeNull();
    expect(await network.endLinks(token)).toBe(false);
    expect(await network.endLinks(next)).toBe(true);
    for (const ended of [token, next]) expect(await network.open(ended)).toBeNull();
    expect((await network.readActions(email)).at(-1)).toBe("member links-ended");
    await network.age(email, "page_link_at", "29 days");
    expect(await network.open(await network.tokenOf(email))).not.toBeNull();
    await network.age(email, "page_link_at", "1 day");
    expect(await network.open(await network.tokenOf(email))).toBeNull();
  });

  it("stops mail by a letter of before, after later links and a changed key, but for 60 days", async () => {
    const { email, token } = await network.join();
    const letter = await network.tokenOf(email, "letter");
    await network.endLinks(token);
    await network.ageLinks(email);
    await network.ask({ email, membership: { kind: "fund" } });
    expect(await visit("unsubscribe_member", letter)).toBe(true);
    const page = await network.tokenOf(email);
    await backend.sql("select private.change_link_key() as ok");
    expect(await network.open(page)).toBeNull();
    expect(await visit("unsubscribe_member", letter)).toBe(true);
    const later = await network.tokenOf(email, "letter");
    expect(later).not.toBe(letter);
    await backend.exec("update private.link_keys set ended_at = ended_at - interval '60 days'");
    expect(await visit("unsubscribe_member", letter)).toBe(false);
    expect(await visit("unsubscribe_member", later)).toBe(true);
  });

  it("stops all mail, shows the day of the deletion, and resumes mail until then or after a refusal", async () => {
    const { email, token } = await network.join();
    const letter = await network.tokenOf(email, "letter");
    expect(await visit("find_mail_state", letter)).toEqual([{ unsubscribed_at: null, deleted_on: null }]);
    // The second is another press of the button.
    for (let press = 0; press < 2; press += 1) expect(await visit("unsubscribe_member", letter)).toBe(true);
    const stopped = { unsubscribed_at: expect.any(String), deleted_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) };
    expect(await visit("find_mail_state", letter)).toEqual([stopped]);
    expect(await network.open(token)).toMatchObject(stopped);
    await network.age(email, "unsubscribed_at", "6 days");
    expect(await visit("resubscribe_member", token)).toBe(true);
    expect(await network.open(token)).toMatchObject({ unsubscribed_at: null, deleted_on: null });
    expect((await network.readActions(email)).slice(2)).toEqual(["member unsubscribed", "member resumed"]);
    await network.set(email, "paused_at = now(), pause_reason = 'smtp-550'");
    expect(await network.open(token)).toMatchObject({ paused_at: expect.any(String), pause_reason: "smtp-550" });
    expect(await visit("resubscribe_member", token)).toBe(true);
    expect(await network.open(token)).toMatchObject({ paused_at: null, pause_reason: null });
  });
});
