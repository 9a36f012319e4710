import type { SupabaseClient } from "@supabase/supabase-js";
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields.ts";
import { eachBackend } from "../support/backends.ts";
import { exampleMails, exampleSubmission, newFingerprint, receive } from "../support/examples.ts";
import { callerOf, type Person, refusal, type Role, signInAdmin } from "../support/test-backend.ts";

eachBackend("policies", (backend) => {
  let person: Person;
  let admin: Person;
  let submissionId: string;

  beforeAll(async () => {
    person = await backend.signIn();
    admin = await signInAdmin(backend);
    submissionId = (await receive(backend.service).throwOnError()).data!.submission_id;
  });

  function as(role: Role): SupabaseClient {
    if (role === "service") return backend.service;
    return backend.client({ anonymous: undefined, "signed-in": person.token, admin: admin.token }[role]);
  }

  const query = <Row>(role: Role, statement: string, parameters?: unknown[]) =>
    backend.sqlAs<Row>(callerOf(role, person, admin), statement, parameters);
  const refusalOf = (role: Role, statement: string, parameters?: unknown[]) =>
    refusal(backend, callerOf(role, person, admin), statement, parameters);

  const insertSubmission = `insert into public.contact_submissions (${Object.keys(exampleSubmission).join()})
    select ${Object.keys(exampleSubmission).join()} from jsonb_populate_record(null::public.contact_submissions, $1)`;

  describe("contact_submissions", () => {
    it("shows submissions to the service", async () => {
      expect(await query("service", "select * from public.contact_submissions where id = $1", [submissionId])).toEqual([
        {
          ...exampleSubmission,
          id: submissionId,
          created_at: expect.anything(),
          ip_address: null,
          quarantine_reason: null,
          state: "new",
          frozen_at: null,
          answer_due_at: expect.anything(),
          answered_at: null,
          answer_notice: null,
          waiting_since: expect.anything(),
          marked_by_link_at: null,
          undelivered_at: null,
          version: 0,
          consented_at: null,
          consent_policy_version: null,
          consent_text_hash: null,
        },
      ]);
    });

    it.each(["anonymous", "signed-in", "admin"] as const)("rejects reads and writes by the role %s", async (role) => {
      expect(await refusalOf(role, "select * from public.contact_submissions")).toBe("42501");
      expect(await refusalOf(role, insertSubmission, [exampleSubmission])).toBe("42501");
      expect(await refusalOf(role, "update public.contact_submissions set name = 'Mallory'")).toBe("42501");
      expect(await refusalOf(role, "delete from public.contact_submissions")).toBe("42501");
      const rows = await backend.sql("select name from public.contact_submissions where id = $1", [submissionId]);
      expect(rows).toEqual([{ name: exampleSubmission.name }]);
    });

    it("lets the service insert, correct and erase", async () => {
      const inserted = await query<{ id: string }>("service", `${insertSubmission} returning id`, [exampleSubmission]);
      const onRow = (statement: string) =>
        query("service", `${statement} where id = $1 returning name`, [inserted[0]?.id]);
      expect(await onRow("update public.contact_submissions set name = 'Grace'")).toEqual([{ name: "Grace" }]);
      expect(await onRow("delete from public.contact_submissions")).toEqual([{ name: "Grace" }]);
      expect(await onRow("delete from public.contact_submissions")).toEqual([]);
    });

    it.each(contactFieldList)(
      "limits %s to the length in the form, and requires a character where the form does",
      async (field, { limit, isOptional }) => {
        const insert = (text: string) =>
          refusalOf("service", insertSubmission, [{ ...exampleSubmission, [field]: text }]);
        const [letter, end] = field === "email" ? ["e", "@a.example"] : ["🌻", ""];
        expect(await insert(letter.repeat(limit - end.length) + end)).toBeUndefined();
        expect(await insert(letter.repeat(limit + 1 - end.length) + end)).toBe("23514");
        expect(await insert("")).toBe(isOptional ? undefined : "23514");
      },
    );
  });

  describe("user_roles", () => {
    const insertRole = "insert into public.user_roles (user_id, role) values ($1, $2)";

    it("shows roles to the service", async () => {
      const own = { user_id: admin.id, role: "admin" };
      expect(await query("service", "select user_id, role from public.user_roles")).toContainEqual(own);
    });

    it.each(["anonymous", "signed-in", "admin"] as const)(
      "rejects reads and changes of roles by the role %s",
      async (role) => {
        expect(await refusalOf(role, "select from public.user_roles")).toBe("42501");
        expect(await refusalOf(role, insertRole, [person.id, "admin"])).toBe("42501");
        expect(await refusalOf(role, "update public.user_roles set user_id = $1", [person.id])).toBe("42501");
        expect(await refusalOf(role, "delete from public.user_roles")).toBe("42501");
        const admins = await backend.sql("select user_id::text from public.user_roles where user_id in ($1, $2)", [
          person.id,
          admin.id,
        ]);
        expect(admins).toEqual([{ user_id: admin.id }]);
      },
    );

    it("accepts only existing roles for existing people, and deletes them with the person", async () => {
      const other = await backend.signIn();
      expect(await refusalOf("service", insertRole, [other.id, "owner"])).toBe("23514");
      expect(await refusalOf("service", insertRole, [randomUUID(), "admin"])).toBe("23503");
      for (let count = 0; count < 2; count++)
        await query("service", `${insertRole} on conflict (user_id, role) do nothing`, [other.id, "admin"]);
      expect((await backend.client(other.token).rpc("admin_standing")).data).toBe("admin");
      await backend.sql("delete from auth.users where id = $1 returning id", [other.id]);
      expect(await query("service", "select from public.user_roles where user_id = $1", [other.id])).toEqual([]);
    });
  });

  describe("functions", () => {
    it("tells signed-in people their standing, and rejects anonymous visitors", async () => {
      expect((await as("admin").rpc("admin_standing")).data).toBe("admin");
      expect((await as("signed-in").rpc("admin_standing")).data).toBe("none");
      expect((await as("anonymous").rpc("admin_standing")).error?.code).toBe("42501");
    });

    it.each(["anonymous", "signed-in", "admin"] as const)(
      "rejects calls of service functions by the role %s",
      async (role) => {
        const receipt = { submission: exampleSubmission, quarantine_reason: null, mails: exampleMails };
        const calls: [string, Record<string, unknown>][] = [
          ["receive_contact_submission", { ...receipt, fingerprint: newFingerprint() }],
          ["claim_due_mail", { batch_size: 1, lease_seconds: 1 }],
          ["outbox_status", {}],
          ["settle_mails", { attempts: [] }],
        ];
        for (const [name, parameters] of calls) {
          const { error } = await as(role).rpc(name, parameters);
          expect([name, error?.code]).toEqual([name, "42501"]);
        }
      },
    );
  });
});
