import type { SupabaseClient } from "@supabase/supabase-js";
import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { findRow, receiveConfirmed, type ReceivedRequest, sampleMail } from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { callerOf, type Person, refusal, type Role, signInAdmin } from "../support/test-backend.ts";

eachBackend("unauthorized access to data rights", (backend) => {
  let person: Person;
  let admin: Person;
  let request: ReceivedRequest;
  let submissionId: string;

  beforeAll(async () => {
    person = await backend.signIn();
    admin = await signInAdmin(backend);
    request = await receiveConfirmed(backend, { type: "erasure" });
    submissionId = (await receive(backend.service, { submission: { email: request.email } })).data!.submission_id;
  });

  function as(role: Role): SupabaseClient {
    if (role === "service") return backend.service;
    return backend.client({ anonymous: undefined, "signed-in": person.token, admin: admin.token }[role]);
  }

  /** Every admin function, with parameters that would do harm. */
  function adminCalls(): [string, Record<string, unknown>][] {
    const request_id = request.id;
    const submission_id = submissionId;
    const hashes = { confirm_token_hash: "a".repeat(64), status_token_hash: "b".repeat(64) };
    return [
      ["take_request_step", { step: "startWork", request_id }],
      ["take_request_step", { step: "note", request_id, note: "Mallory" }],
      ["take_request_step", { step: "extend", request_id, note: "Mallory", mail: sampleMail }],
      ["take_request_step", { step: "complete", request_id, note: null, mail: sampleMail }],
      ["take_request_step", { step: "refuse", request_id, note: "Mallory", mail: sampleMail }],
      ["resend_request_links", { step: "resend", request_id, ...hashes, mail: sampleMail }],
      ["export_subject_data", { request_id }],
      ["erase_subject", { request_id, mail: sampleMail }],
      ["take_request_step", { step: "restrict", request_id, note: "Mallory" }],
      ["take_request_step", { step: "lift", request_id, note: "Mallory", mail: sampleMail }],
      [
        "enter_request",
        { request: {}, channel: "letter", received_on: "2026-01-01", is_identified: true, ...hashes, mail: sampleMail },
      ],
      ["take_request_step", { step: "handOver", request_id, note: "Mallory", mail: sampleMail }],
      ["take_request_step", { step: "keepRestriction", request_id, note: "Mallory", mail: sampleMail }],
      ["correct_record", { request_id, record_id: submission_id, field: "name", value: "Mallory" }],
      ["read_requests", { folder: "all" }],
      ["find_request", { request_id }],
      ["read_inbox", {}],
      ["export_submissions", { folder: "all" }],
      ["set_submission_state", { submission_id, state: "spam" }],
      ["restore_submission", { submission_id }],
      ["delete_submission", { submission_id }],
    ];
  }

  const serviceCalls: [string, Record<string, unknown>][] = [
    [
      "receive_data_rights_request",
      { request: {}, confirm_token_hash: "", status_token_hash: "", quarantine_reason: null, mails: [] },
    ],
    ["keep_retention", { source: "mallory" }],
    ["list_due_reminders", {}],
    ["queue_reminder", { request_id: randomUUID(), reminder: "confirmed", mail: sampleMail }],
  ];

  async function snapshot() {
    const submission = "select to_jsonb(s) as row from public.contact_submissions as s where id = $1";
    const counts = `select (select count(*) from private.email_outbox)::int as mails,
      (select count(*) from public.data_rights_events)::int as events,
      (select count(*) from public.admin_events)::int as logged,
      (select count(*) from private.retention_runs)::int as runs`;
    return [await findRow(backend, request), await backend.sql(submission, [submissionId]), await backend.sql(counts)];
  }

  it("rejects admin functions for all other roles and reveals nothing in the error", async () => {
    const before = await snapshot();
    for (const role of ["anonymous", "signed-in", "service"] as const) {
      for (const [name, parameters] of adminCalls()) {
        const { data, error } = await as(role).rpc(name, parameters);
        expect([role, name, error?.code, data]).toEqual([role, name, "42501", null]);
        expect(JSON.stringify(error)).not.toContain(request.email);
      }
    }
    // The error is the same for an unknown request as for an existing one.
    const unknown = await as("signed-in").rpc("find_request", { request_id: randomUUID() });
    expect(unknown.error).toEqual((await as("signed-in").rpc("find_request", { request_id: request.id })).error);
    expect(await snapshot()).toEqual(before);
  });

  it("rejects service functions for all other roles, admins included", async () => {
    const before = await snapshot();
    for (const role of ["anonymous", "signed-in", "admin"] as const) {
      for (const [name, parameters] of serviceCalls) {
        const { data, error } = await as(role).rpc(name, parameters);
        expect([role, name, error?.code, data]).toEqual([role, name, "42501", null]);
      }
    }
    expect(await snapshot()).toEqual(before);
  });

  it("exposes no function of the private schema", async () => {
    const names = [
      "find_linked_request",
      "erase_subject",
      "turn_page",
      "digest",
      "find_mails_of",
      "schedule_retention",
    ];
    for (const role of ["anonymous", "signed-in", "admin", "service"] as const) {
      for (const name of names) {
        const { data, error } = await as(role).schema("private").rpc(name, {});
        expect([role, name, data, error === null]).toEqual([role, name, null, false]);
      }
    }
  });

  it.each(["anonymous", "signed-in", "admin", "service"] as const)(
    "rejects reads and writes of all tables by the role %s",
    async (role) => {
      const before = await snapshot();
      for (const name of ["data_rights_requests", "data_rights_events", "admin_events"]) {
        for (const write of [
          "select from #",
          "insert into # default values",
          "update # set id = default",
          "delete from #",
        ]) {
          const statement = write.replace("#", `public.${name}`);
          const code = await refusal(backend, callerOf(role, person, admin), statement);
          expect([statement, code]).toEqual([statement, "42501"]);
        }
      }
      expect(await snapshot()).toEqual(before);
    },
  );
});
