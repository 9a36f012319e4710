import type { SupabaseClient } from "@supabase/supabase-js";
import { createHash, randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { correctableFields } from "~/features/admin/rights-requests/correctable-fields";
import { contactFields } from "#supabase/functions/_shared/contact-fields.ts";
import { eachBackend } from "../support/backends.ts";
import { newAddress, receiveConfirmed, receiveRequest } from "../support/data-rights.ts";
import { exampleSubmission, receive } from "../support/examples.ts";
import { idsOf, list } from "../support/inbox.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

eachBackend("corrections", (backend) => {
  let person: Person;
  let admin: SupabaseClient;

  beforeAll(async () => {
    person = await signInAdmin(backend);
    admin = backend.client(person.token);
  });

  async function send(email: string): Promise<string> {
    const mails = [{ kind: "firm", recipient: null, reply_to: email, subject: "A message", body: "Please call me." }];
    return (await receive(backend.service, { submission: { email }, mails })).data!.submission_id;
  }

  /** Creates a message, and its sender's confirmed request to correct it. */
  async function createCorrectionRequest() {
    const email = newAddress();
    const submission_id = await send(email.toUpperCase());
    const request = await receiveConfirmed(backend, { email, type: "rectification" });
    return { request, submission_id };
  }

  const correct = (request_id: string, submission_id: string, field: string | null, value: string | null) =>
    admin.rpc("correct_record", { request_id, record_id: submission_id, field, value });

  async function read(id: string) {
    const [row] = await backend.sql<Record<string, string>>("select * from public.contact_submissions where id = $1", [
      id,
    ]);
    return row!;
  }

  it("allows corrections of every text in the contact form except the address", () => {
    expect(correctableFields).toEqual(Object.keys(contactFields).filter((field) => field !== "email"));
  });

  it.each(correctableFields)(
    "changes the stored %s and logs a salted digest of the old text, not the text",
    async (field) => {
      const { request, submission_id } = await createCorrectionRequest();
      const listed = await admin.rpc("find_request", { request_id: request.id }).throwOnError();
      expect(listed.data.messages).toMatchObject([{ id: submission_id, [field]: exampleSubmission[field] }]);
      await correct(request.id, submission_id, field, "Corrected 💚").throwOnError();
      expect(await read(submission_id)).toMatchObject({
        ...exampleSubmission,
        email: request.email.toUpperCase(),
        [field]: "Corrected 💚",
      });
      const { data } = await admin.rpc("find_request", { request_id: request.id }).throwOnError();
      expect(data.events.at(-1)).toMatchObject({
        action: "corrected",
        actor: person.email,
        note: expect.stringMatching(
          `^${field} of message ${submission_id}. Salted SHA-256 of the old text: [0-9a-f]{96}$`,
        ),
      });
      const { note } = data.events.at(-1) as { note: string };
      const plain = createHash("sha256").update(exampleSubmission[field]).digest("hex");
      const [salt, digest] = [note.slice(-96, -64), note.slice(-64)];
      expect(digest).toBe(createHash("sha256").update(`${salt}${plain}`).digest("hex"));
      expect(note).not.toContain(plain);
      const log = "select action from public.admin_events where submission_id = $1";
      expect(await backend.sql(log, [submission_id])).toEqual([{ action: "submission-corrected" }]);
      expect(idsOf(await list(admin, { search: "corrected 💚" }))).toContain(submission_id);
    },
  );

  it("corrects restricted messages and deletes delivered copies of the firm's mail", async () => {
    const { request, submission_id } = await createCorrectionRequest();
    await admin
      .rpc("take_request_step", { step: "restrict", request_id: request.id, note: "Contested" })
      .throwOnError();
    const sent = "update private.email_outbox set delivered_at = now() where submission_id = $1 returning 1 as ok";
    await backend.sql(sent, [submission_id]);
    await correct(request.id, submission_id, "message", "Call me not.").throwOnError();
    expect(await read(submission_id)).toMatchObject({ message: "Call me not.", frozen_at: expect.anything() });
    const copies = "select 1 as found from private.email_outbox where submission_id = $1";
    expect(await backend.sql(copies, [submission_id])).toEqual([]);
  });

  it("changes and logs nothing if the text is the same", async () => {
    const { request, submission_id } = await createCorrectionRequest();
    await correct(request.id, submission_id, "name", exampleSubmission.name).throwOnError();
    const { data } = await admin.rpc("find_request", { request_id: request.id }).throwOnError();
    expect(data.events.map(({ action }: { action: string }) => action)).not.toContain("corrected");
  });

  it("rejects other people's messages, other fields and other types of request", async () => {
    const { request, submission_id } = await createCorrectionRequest();
    const other = await createCorrectionRequest();
    const unconfirmed = await receiveRequest(backend, {
      email: request.email,
      type: "rectification",
      description: "Other words",
    });
    const access = await receiveConfirmed(backend, { email: request.email, type: "access" });
    const refused: [string, string, string | null, string | null, string][] = [
      [request.id, other.submission_id, "name", "Mallory", "P0002"],
      [randomUUID(), submission_id, "name", "Mallory", "P0002"],
      [unconfirmed.id, submission_id, "name", "Mallory", "55000"],
      [access.id, submission_id, "name", "Mallory", "55000"],
      [request.id, submission_id, "email", "mallory@example.com", "22023"],
      [request.id, submission_id, "id", randomUUID(), "22023"],
      [request.id, submission_id, null, "Mallory", "22023"],
      [request.id, submission_id, "name", null, "22023"],
      [request.id, submission_id, "name", "", "23514"],
      [request.id, submission_id, "name", "é".repeat(contactFields.name.limit + 1), "23514"],
    ];
    const before = [await read(submission_id), await read(other.submission_id)];
    for (const [requestId, submissionId, field, value, code] of refused) {
      const { error } = await correct(requestId, submissionId, field, value);
      expect([field, value, error?.code]).toEqual([field, value, code]);
    }
    expect([await read(submission_id), await read(other.submission_id)]).toEqual(before);
  });
});
