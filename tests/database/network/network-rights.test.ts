import type { SupabaseClient } from "@supabase/supabase-js";
import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { correctableMemberFields } from "~/features/admin/rights-requests/correctable-fields";
import { eachBackend } from "../support/backends.ts";
import { readActions, receiveConfirmed, sampleMail, previewErasure } from "../support/data-rights.ts";
import {
  ageLinks,
  ask,
  byToken,
  exampleDetails,
  findMember,
  join,
  readMemberActions,
  readNetworkMails,
} from "../support/network.ts";
import { findTablesWith } from "../../support/find-text.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

eachBackend("data rights of members", (backend) => {
  let person: Person;
  let admin: SupabaseClient;

  beforeAll(async () => {
    person = await signInAdmin(backend);
    admin = backend.client(person.token);
  });

  /** Deletes the messages, so that the membership alone is about the person. */
  const deleteMessages = (email: string) =>
    backend.sql("delete from public.contact_submissions where email = $1 returning 1 as ok", [email]);

  it("exports the membership with its log, but no admin and no working link", async () => {
    const { email, id, token } = await join(backend);
    await admin
      .rpc("review_network_member", { member_id: id, action: "admitted", note: "Met in June", seen_version: 1 })
      .throwOnError();
    await ageLinks(backend, email);
    await ask(backend, { email: email.toUpperCase(), membership: { kind: "fund" } });
    const request = await receiveConfirmed(backend, { email, type: "access" });
    const { data } = await admin.rpc("export_subject_data", { request_id: request.id }).throwOnError();
    expect(data.membership).toMatchObject({
      ...exampleDetails,
      email,
      state: "admitted",
      consent_policy_version: "1.0",
      pending: { kind: "fund" },
    });
    const log = data.membership.events.map((event: Record<string, string>) => [event.by, event.action, event.note]);
    expect(log).toEqual([
      ["member", "asked", null],
      ["member", "confirmed", null],
      ["admin", "admitted", "Met in June"],
      ["member", "asked-again", null],
    ]);
    expect(data.mails.filter(({ kind }: { kind: string }) => kind === "network")).toHaveLength(2);
    for (const secret of [person.id, person.email, token, "token=abc"])
      expect(JSON.stringify(data)).not.toContain(secret);
    const other = await receiveConfirmed(backend, { type: "access" });
    const nothing = await admin.rpc("export_subject_data", { request_id: other.id }).throwOnError();
    expect(nothing.data.membership).toBeNull();
  });

  it("counts and erases the membership with everything that hangs on it", async () => {
    const { email, id, token } = await join(backend, { email: `${randomUUID()}@example.com` });
    const request = await receiveConfirmed(backend, { email, type: "erasure" });
    expect(await previewErasure(admin, request)).toMatchObject({ memberships: 1, submissions: 1 });
    const { data: counts } = await admin
      .rpc("erase_subject", { request_id: request.id, mail: sampleMail })
      .throwOnError();
    expect(counts).toMatchObject({ memberships: 1 });
    expect(await findMember(backend, email)).toBeUndefined();
    expect(await byToken(backend, "find_membership", token)).toBeNull();
    const find = (text: string) => findTablesWith((query, parameters) => backend.sql(query, parameters), text);
    expect(await find(id)).toEqual([]);
    // The last mail about the erasure.
    expect(await find(email)).toEqual(["private.email_outbox"]);
  });

  it("freezes the membership, holds its mail, and lifts that with the rest", async () => {
    const { email, id, token } = await join(backend);
    const request = await receiveConfirmed(backend, { email, type: "restrict" });
    await admin
      .rpc("take_request_step", { step: "restrict", request_id: request.id, note: "Accuracy is contested" })
      .throwOnError();
    const kept = await byToken(backend, "find_membership", token);
    expect(kept).toMatchObject({ is_restricted: true, state: "confirmed" });

    const hidden = async () => ({
      found: (await admin.rpc("find_network_member", { member_id: id }).throwOnError()).data,
      listed: (await admin.rpc("list_network_members", { page_size: 100 }).throwOnError()).data.members.filter(
        (member: { id: string }) => member.id === id,
      ),
      exported: (await admin.rpc("export_network_members").throwOnError()).data.filter(
        (member: { id: string }) => member.id === id,
      ),
    });
    expect(await hidden()).toEqual({ found: null, listed: [], exported: [] });
    for (const [name, parameters] of [
      ["review_network_member", { action: "admitted", note: null, seen_version: 2 }],
      ["send_network_link", { mail: { subject: "a", body: "b" } }],
      ["remove_network_member", {}],
    ] as const)
      expect([name, (await admin.rpc(name, { member_id: id, ...parameters })).error?.code]).toEqual([name, "P0002"]);

    await ageLinks(backend, email);
    await ask(backend, { email, membership: { kind: "fund" } });
    const pending = await byToken(backend, "find_membership", token);
    expect(pending).toMatchObject({ ...exampleDetails, pending: { kind: "fund" } });
    for (const name of ["confirm_membership", "discard_membership_change"] as const)
      expect(await byToken(backend, name, token)).toEqual(pending);
    const change = { token, details: { place: "Maine" }, seen_version: pending.version };
    expect((await backend.client().rpc("change_membership", change)).error?.code).toBe("55000");
    const claim = async () => {
      await backend.sql(
        "update private.email_outbox set leased_until = null, next_attempt_at = now() returning 1 as ok",
      );
      const { data } = await backend.service
        .rpc("claim_due_mail", { batch_size: 100, lease_seconds: 60 })
        .throwOnError();
      return data.filter((mail: Record<string, string>) => mail.kind === "network" && mail.recipient === email).length;
    };
    expect(await claim()).toBe(0);

    await admin
      .rpc("take_request_step", { step: "lift", request_id: request.id, note: "Corrected", mail: sampleMail })
      .throwOnError();
    await backend.sql(
      `update public.data_rights_requests set restriction_ends_on = (now() at time zone 'UTC')::date
       where email = $1 returning 1 as ok`,
      [email],
    );
    await backend.service.rpc("keep_retention", { source: "server" }).throwOnError();
    expect(await claim()).toBe(1);
    expect(await byToken(backend, "confirm_membership", token)).toMatchObject({ kind: "fund", is_restricted: false });
    expect((await readMemberActions(backend, email)).slice(2)).toEqual([
      "admin restricted",
      "member asked-again",
      "system restriction-lifted",
      "member changed",
    ]);
  });

  it("lets a restricted member leave, also while they have asked for their data", async () => {
    const { email, token } = await join(backend);
    await receiveConfirmed(backend, { email, type: "access" });
    const request = await receiveConfirmed(backend, { email, type: "restrict" });
    await admin
      .rpc("take_request_step", { step: "restrict", request_id: request.id, note: "Contested" })
      .throwOnError();
    expect(await byToken(backend, "leave_network", token)).toBe(true);
    expect(await findMember(backend, email)).toBeUndefined();
    expect(await readNetworkMails(backend, email)).toEqual([]);
  });

  it.each(correctableMemberFields)(
    "corrects the %s of a membership, and logs a digest of the old text",
    async (field) => {
      const { email } = await join(backend);
      await deleteMessages(email);
      const request = await receiveConfirmed(backend, { email: email.toUpperCase(), type: "rectification" });
      const find = async () =>
        (await admin.rpc("find_request", { request_id: request.id }).throwOnError()).data.membership;
      const stored = await find();
      expect(Object.keys(stored).toSorted()).toEqual(["company", "id", "name", "place", "version"]);
      const correct = (
        value: string | null,
        seen_version: number | null = stored.version,
        name: string | null = field,
      ) =>
        admin.rpc("correct_record", { request_id: request.id, record_id: stored.id, field: name, value, seen_version });
      await correct("Corrected 💚").throwOnError();
      expect(await find()).toEqual({ ...stored, [field]: "Corrected 💚", version: stored.version + 1 });
      await correct("Corrected 💚").throwOnError();
      expect((await correct("Another")).error?.code).toBe("PT409");
      for (const invalid of ["", "a\nb", "x".repeat(201)])
        expect((await correct(invalid, null)).error?.code).toBe("23514");
      expect((await correct(null, null)).error?.code).toBe("22023");
      for (const other of ["email", "state", "kind", null])
        expect((await correct("admitted", null, other)).error?.code).toBe("22023");
      expect((await readMemberActions(backend, email)).at(-1)).toBe("admin corrected");
      expect((await readActions(backend, request)).filter((action) => action === "corrected")).toHaveLength(1);
      const { data } = await admin.rpc("find_request", { request_id: request.id }).throwOnError();
      expect(data.events.at(-1).note).toMatch(
        new RegExp(`^${field} of the membership. Salted SHA-256 of the old text: [0-9a-f]{96}$`),
      );
    },
  );

  it("corrects nothing for other types of requests, or without a membership", async () => {
    const { email, id } = await join(backend);
    const access = await receiveConfirmed(backend, { email, type: "access" });
    const correct = (request_id: string) =>
      admin.rpc("correct_record", { request_id, record_id: id, field: "name", value: "X" });
    expect((await correct(access.id)).error?.code).toBe("55000");
    expect((await admin.rpc("find_request", { request_id: access.id })).data).toMatchObject({ membership: null });
    const alone = await receiveConfirmed(backend, { type: "rectification" });
    expect((await correct(alone.id)).error?.code).toBe("P0002");
    expect((await admin.rpc("find_request", { request_id: alone.id })).data).toMatchObject({ membership: null });
    expect((await correct(randomUUID())).error?.code).toBe("P0002");
  });
});
