import type { SupabaseClient } from "@supabase/supabase-js";
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields.ts";
import { eachBackend } from "../support/backends.ts";
import { exampleMails, exampleSubmission, newFingerprint, receive } from "../support/examples.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

type Role = "anonymous" | "signed-in" | "admin" | "service";

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

  describe("contact_submissions", () => {
    it("shows submissions to admins and the service only, and rejects anonymous visitors", async () => {
      for (const role of ["admin", "service"] as const) {
        const { data } = await as(role).from("contact_submissions").select().eq("id", submissionId).throwOnError();
        expect(data).toEqual([
          {
            ...exampleSubmission,
            id: submissionId,
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
            ip_address: null,
            quarantine_reason: null,
            state: "new",
            frozen_at: null,
            answer_due_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
            answered_at: null,
            answer_notice: null,
            waiting_since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
            marked_by_link_at: null,
            undelivered_at: null,
            version: 0,
            consented_at: null,
            consent_policy_version: null,
            consent_text_hash: null,
          },
        ]);
      }
      expect((await as("signed-in").from("contact_submissions").select()).data).toEqual([]);
      expect((await as("anonymous").from("contact_submissions").select()).error?.code).toBe("42501");
    });

    it.each(["anonymous", "signed-in", "admin"] as const)(
      "rejects writes through the API by the role %s",
      async (role) => {
        const table = () => as(role).from("contact_submissions");
        expect((await table().insert(exampleSubmission)).error?.code).toBe("42501");
        expect((await table().upsert({ ...exampleSubmission, id: submissionId })).error?.code).toBe("42501");
        expect((await table().update({ name: "Mallory" }).eq("id", submissionId)).error?.code).toBe("42501");
        expect((await table().delete().eq("id", submissionId)).error?.code).toBe("42501");
        const rows = await backend.sql("select name from public.contact_submissions where id = $1", [submissionId]);
        expect(rows).toEqual([{ name: exampleSubmission.name }]);
      },
    );

    it("lets the service insert, correct and erase", async () => {
      const inserted = await backend.service
        .from("contact_submissions")
        .insert(exampleSubmission)
        .select("id")
        .single()
        .throwOnError();
      const id = inserted.data.id as string;
      await backend.service.from("contact_submissions").update({ name: "Grace" }).eq("id", id).throwOnError();
      expect((await backend.service.from("contact_submissions").select("name").eq("id", id).single()).data).toEqual({
        name: "Grace",
      });
      await backend.service.from("contact_submissions").delete().eq("id", id).throwOnError();
      expect((await backend.service.from("contact_submissions").select("id").eq("id", id)).data).toEqual([]);
    });

    it.each(contactFieldList)(
      "limits %s to the length in the form, and requires a character where the form does",
      async (field, { limit, isOptional }) => {
        const insert = (text: string) =>
          backend.service.from("contact_submissions").insert({ ...exampleSubmission, [field]: text });
        const [letter, end] = field === "email" ? ["e", "@a.example"] : ["🌻", ""];
        expect((await insert(letter.repeat(limit - end.length) + end)).error).toBeNull();
        expect((await insert(letter.repeat(limit + 1 - end.length) + end)).error?.code).toBe("23514");
        expect((await insert("")).error?.code).toBe(isOptional ? undefined : "23514");
      },
    );

    it("lists submissions newest first, with the IP address as plain text", async () => {
      const moments = ["2001-01-02T00:00:00Z", "2001-01-03T00:00:00Z", "2001-01-01T00:00:00Z"];
      for (const created_at of moments) {
        const row = { ...exampleSubmission, created_at, ip_address: "2001:db8::7" };
        await backend.service.from("contact_submissions").insert(row).throwOnError();
      }
      const { data } = await as("admin")
        .from("contact_submissions")
        .select("created_at, ip_address")
        .lt("created_at", "2002-01-01T00:00:00Z")
        .order("created_at", { ascending: false })
        .order("id", { ascending: false })
        .throwOnError();
      expect(data.map((row) => new Date(row.created_at).getUTCDate())).toEqual([3, 2, 1]);
      expect(data[0]?.ip_address).toBe("2001:db8::7");
    });
  });

  describe("user_roles", () => {
    it("shows people only their own roles", async () => {
      const own = { user_id: admin.id, role: "admin" };
      expect((await as("admin").from("user_roles").select("user_id, role")).data).toEqual([own]);
      expect((await as("signed-in").from("user_roles").select()).data).toEqual([]);
      expect((await as("anonymous").from("user_roles").select()).error?.code).toBe("42501");
      expect((await as("service").from("user_roles").select("role").eq("user_id", admin.id)).data).toHaveLength(1);
    });

    it.each(["anonymous", "signed-in", "admin"] as const)("rejects changes of roles by the role %s", async (role) => {
      const table = () => as(role).from("user_roles");
      expect((await table().insert({ user_id: person.id, role: "admin" })).error?.code).toBe("42501");
      expect((await table().upsert({ user_id: person.id, role: "admin" })).error?.code).toBe("42501");
      expect((await table().update({ user_id: person.id }).eq("user_id", admin.id)).error?.code).toBe("42501");
      expect((await table().delete().eq("user_id", admin.id)).error?.code).toBe("42501");
      const admins = await backend.sql("select user_id::text from public.user_roles where user_id in ($1, $2)", [
        person.id,
        admin.id,
      ]);
      expect(admins).toEqual([{ user_id: admin.id }]);
    });

    it("accepts only existing roles for existing people, and deletes them with the person", async () => {
      const other = await backend.signIn();
      const table = () => backend.service.from("user_roles");
      expect((await table().insert({ user_id: other.id, role: "owner" })).error?.code).toBe("23514");
      expect((await table().insert({ user_id: randomUUID(), role: "admin" })).error?.code).toBe("23503");
      const grant = { user_id: other.id, role: "admin" };
      const options = { onConflict: "user_id,role", ignoreDuplicates: true };
      expect((await table().upsert(grant, options)).error).toBeNull();
      expect((await table().upsert(grant, options)).error).toBeNull();
      expect((await backend.client(other.token).rpc("is_admin")).data).toBe(true);
      await backend.sql("delete from auth.users where id = $1 returning id", [other.id]);
      expect((await table().select().eq("user_id", other.id)).data).toEqual([]);
    });
  });

  describe("functions", () => {
    it("returns is_admin to signed-in people and rejects anonymous visitors", async () => {
      expect((await as("admin").rpc("is_admin")).data).toBe(true);
      expect((await as("signed-in").rpc("is_admin")).data).toBe(false);
      expect((await as("anonymous").rpc("is_admin")).error?.code).toBe("42501");
    });

    it("shows the outbox status to admins and the service only", async () => {
      const status = { waiting: 2, given_up: 0, oldest_waiting: expect.any(String) };
      expect((await as("admin").rpc("outbox_status").single()).data).toEqual(status);
      expect((await as("service").rpc("outbox_status").single()).data).toEqual(status);
      expect((await as("signed-in").rpc("outbox_status")).error?.code).toBe("42501");
      expect((await as("anonymous").rpc("outbox_status")).error?.code).toBe("42501");
    });

    it.each(["anonymous", "signed-in", "admin"] as const)(
      "rejects calls of service functions by the role %s",
      async (role) => {
        const receipt = { submission: exampleSubmission, quarantine_reason: null, mails: exampleMails };
        const calls: [string, Record<string, unknown>][] = [
          ["receive_contact_submission", { ...receipt, fingerprint: newFingerprint() }],
          ["claim_due_mail", { batch_size: 1, lease_seconds: 1 }],
          ["settle_mails", { attempts: [] }],
        ];
        for (const [name, parameters] of calls) {
          const { error } = await as(role).rpc(name, parameters);
          expect([name, error?.code]).toEqual([name, "42501"]);
        }
      },
    );
  });

  it.each(["anonymous", "signed-in", "admin", "service"] as const)(
    "hides the private schema from the role %s",
    async (role) => {
      for (const table of ["email_outbox", "contact_receipts"]) {
        const hidden = await as(role).schema("private").from(table).select();
        expect(hidden.error).not.toBeNull();
        expect(hidden.data).toBeNull();
        expect((await as(role).from(table).select()).error).not.toBeNull();
      }
    },
  );
});
