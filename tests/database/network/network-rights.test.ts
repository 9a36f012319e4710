import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { correctableMemberFields } from "~/features/admin/rights-requests/correctable-fields";
import { call, useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { previewErasure, receiveConfirmed, sampleMail } from "../support/data-rights.ts";
import { claimMails, makeMailsDue } from "../support/mail.ts";
import { exampleDetails, useNetwork } from "../support/network.ts";
import { keepRetention, setRows } from "../support/retention.ts";
import { findTablesWith } from "../../support/find-text.ts";

eachBackend("data rights of members", (backend) => {
  const admin = useAdmin(backend);
  const network = useNetwork(backend);

  /** Asks for a restriction in a member's name, and grants it. */
  async function restrict(email: string) {
    const { id: request_id } = await receiveConfirmed(backend, { email, type: "restrict" });
    const step = { step: "restrict", request_id, note: "Accuracy is contested" };
    await admin.client.rpc("take_request_step", step).throwOnError();
    return request_id;
  }

  it("exports the membership with its log, but no admin and no working link", async () => {
    const { email, id, token } = await network.join();
    const decision = { member_id: id, action: "admitted", note: "Met in June", seen_version: 1 };
    await admin.client.rpc("review_network_member", decision).throwOnError();
    await network.ageLinks(email);
    await network.ask({ email: email.toUpperCase(), membership: { kind: "fund" } });
    const request = await receiveConfirmed(backend, { email, type: "access" });
    const exported = await admin.call("export_subject_data", { request_id: request.id });
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
    expect((await admin.call("find_request", { request_id: request.id })).membership).toBeNull();
    const other = await receiveConfirmed(backend, { type: "access" });
    expect((await admin.call("export_subject_data", { request_id: other.id })).membership).toBeNull();
  });

  it("counts and erases the membership with everything that hangs on it", async () => {
    const { email, id, token } = await network.join({ email: `${randomUUID()}@example.com` });
    const request = await receiveConfirmed(backend, { email, type: "erasure" });
    expect(await previewErasure(admin.client, request)).toMatchObject({ memberships: 1, submissions: 1 });
    const counts = await admin.call("erase_subject", { request_id: request.id, mail: sampleMail });
    expect(counts).toMatchObject({ memberships: 1 });
    expect(await network.find(email)).toBeUndefined();
    expect(await network.open(token)).toBeNull();
    const find = (text: string) => findTablesWith((query, parameters) => backend.sql(query, parameters), text);
    expect(await find(id)).toEqual([]);
    // The last mail about the erasure.
    expect(await find(email)).toEqual(["private.email_outbox"]);
  });

  it("freezes a restricted membership for its member, too", async () => {
    const { email, token } = await network.join();
    await restrict(email);
    expect(await network.open(token)).toMatchObject({ is_restricted: true, state: "confirmed" });
    await network.ageLinks(email);
    await network.ask({ email, membership: { kind: "fund" } });
    const pending = await network.open(token);
    expect(pending).toMatchObject({ ...exampleDetails, pending: { kind: "fund" } });
    expect([await network.confirm(token), await network.discard(token)]).toEqual([pending, pending]);
    const change = { token, details: { place: "Maine" }, seen_version: pending.version };
    expect(await call(backend.client(), "change_membership", change)).toBe("55000");
  });

  it("holds the mail of a restricted member until the restriction is lifted, and a later wish, too", async () => {
    const { email, token } = await network.join();
    const request_id = await restrict(email);
    await network.ageLinks(email);
    await network.ask({ email, membership: { kind: "fund" } });
    const listClaimed = async () => {
      await makeMailsDue(backend);
      return (await claimMails(backend)).filter(({ kind, recipient }) => kind === "network" && recipient === email);
    };
    expect(await listClaimed()).toEqual([]);
    const lift = { step: "lift", request_id, note: "Corrected", mail: sampleMail };
    await admin.client.rpc("take_request_step", lift).throwOnError();
    await setRows(backend, "public.data_rights_requests", request_id, "restriction_ends_on = private.today()");
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

  it("lets a restricted member leave, also while they have asked for their data", async () => {
    const { email, token } = await network.join();
    await receiveConfirmed(backend, { email, type: "access" });
    await restrict(email);
    expect(await network.leave(token)).toBe(true);
    expect(await network.find(email)).toBeUndefined();
    expect(await network.readMails(email)).toEqual([]);
  });

  it.each(correctableMemberFields)(
    "corrects the %s of a membership, and logs a digest of the old text",
    async (field) => {
      const { email } = await network.join();
      await backend.exec(`delete from public.contact_submissions where email = '${email}'`);
      const request = await receiveConfirmed(backend, { email: email.toUpperCase(), type: "rectification" });
      const find = () => admin.call("find_request", { request_id: request.id });
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
});
