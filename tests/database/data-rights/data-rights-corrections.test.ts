import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { correctableFields } from "~/features/admin/rights-requests/correctable-fields";
import { contactFields } from "#supabase/functions/_shared/contact-fields.ts";
import { eachBackend } from "../support/backends.ts";
import { newAddress, useRequests } from "../support/data-rights.ts";
import { exampleMails, exampleSubmission, receiveMessage } from "../support/examples.ts";
import { idsOf, list, readMessageActions } from "../support/inbox.ts";
import { countRows, readRow } from "../support/retention.ts";

eachBackend("corrections", (backend) => {
  const requests = useRequests(backend);
  const { admin } = requests;

  /** Creates a message, and its sender's confirmed request to correct it. */
  async function createCorrectionRequest() {
    const email = newAddress();
    const mails = exampleMails.filter(({ kind }) => kind === "firm");
    const submission_id = await receiveMessage(backend, { submission: { email: email.toUpperCase() }, mails });
    const request = await requests.receiveConfirmed({ email, type: "rectification" });
    return { request, submission_id };
  }

  const correct = (request_id: string, submission_id: string, field: string | null, value: string | null) =>
    admin.rpc("correct_record", { request_id, record_id: submission_id, field, value });

  const read = (id: string) => readRow(backend, "public.contact_submissions", id);

  it("allows corrections of every text in the contact form except the address", () => {
    expect(correctableFields).toEqual(Object.keys(contactFields).filter((field) => field !== "email"));
  });

  it.each(correctableFields)(
    "changes the stored %s and logs a salted digest of the old text, not the text",
    async (field) => {
      const { request, submission_id } = await createCorrectionRequest();
      const { messages } = await requests.find(request);
      expect(messages).toMatchObject([{ id: submission_id, [field]: exampleSubmission[field] }]);
      await correct(request.id, submission_id, field, "Corrected 💚").throwOnError();
      expect(await read(submission_id)).toMatchObject({
        ...exampleSubmission,
        email: request.email.toUpperCase(),
        [field]: "Corrected 💚",
      });
      const { events } = await requests.find(request);
      expect(events.at(-1)).toMatchObject({
        action: "corrected",
        actor: admin.email,
        note: expect.stringMatching(
          `^${field} of message ${submission_id}. Salted SHA-256 of the old text: [0-9a-f]{96}$`,
        ),
      });
      const { note } = events.at(-1) as { note: string };
      const plain = createHash("sha256").update(exampleSubmission[field]).digest("hex");
      const [salt, digest] = [note.slice(-96, -64), note.slice(-64)];
      expect(digest).toBe(createHash("sha256").update(`${salt}${plain}`).digest("hex"));
      expect(note).not.toContain(plain);
      expect(await readMessageActions(backend, submission_id)).toEqual(["submission-corrected"]);
      expect(idsOf(await list(admin, { search: "corrected 💚" }))).toContain(submission_id);
    },
  );

  it("corrects restricted messages and deletes delivered copies of the firm's mail", async () => {
    const { request, submission_id } = await createCorrectionRequest();
    await requests.take(request.id, "restrict").throwOnError();
    const sent = "update private.email_outbox set delivered_at = now() where submission_id = $1 returning 1 as ok";
    await backend.sql(sent, [submission_id]);
    await correct(request.id, submission_id, "message", "Call me not.").throwOnError();
    expect(await read(submission_id)).toMatchObject({ message: "Call me not.", frozen_at: expect.anything() });
    expect(await countRows(backend, "private.email_outbox", submission_id, "submission_id")).toBe(0);
  });

  it("rejects other people's messages, other fields, and missing or overlong texts", async () => {
    const { request, submission_id } = await createCorrectionRequest();
    const other = await createCorrectionRequest();
    const refused: [string, string | null, string | null, string][] = [
      [other.submission_id, "name", "Mallory", "P0002"],
      [submission_id, "email", "mallory@example.com", "22023"],
      [submission_id, "id", submission_id, "22023"],
      [submission_id, null, "Mallory", "22023"],
      [submission_id, "name", null, "22023"],
      [submission_id, "name", "", "23514"],
      [submission_id, "name", "é".repeat(contactFields.name.limit + 1), "23514"],
    ];
    const before = [await read(submission_id), await read(other.submission_id)];
    for (const [record, field, value, code] of refused)
      expect([field, value, (await correct(request.id, record, field, value)).error?.code]).toEqual([
        field,
        value,
        code,
      ]);
    expect([await read(submission_id), await read(other.submission_id)]).toEqual(before);
  });
});
