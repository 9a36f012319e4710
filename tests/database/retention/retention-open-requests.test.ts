import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, it } from "vitest";
import type { DataRightsRequestType } from "#supabase/functions/_shared/data-rights-request.ts";
import { eachBackend } from "../support/backends.ts";
import { findRow, newAddress, receiveConfirmed, receiveRequest, sampleMail, takeStep } from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("retention during open data rights requests", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });

  const complete = (request_id: string) => takeStep(admin, request_id, "complete").throwOnError();

  /** Creates a message, its mail and a closed request, all past their retention periods. */
  async function createExpiredData() {
    const email = newAddress();
    const mails = [{ kind: "firm", recipient: null, reply_to: email, subject: "A message", body: "Please call me." }];
    const { data } = await receive(backend.service, { submission: { email: email.toUpperCase() }, mails });
    const submission_id = data!.submission_id;
    const closed = await receiveConfirmed(backend, { email, type: "other" });
    await complete(closed.id);
    await backend.sql(
      "update public.data_rights_requests set closed_at = now() - interval '5 years' where id = $1 returning 1 as ok",
      [closed.id],
    );
    await backend.sql(
      "update public.contact_submissions set created_at = now() - interval '5 years' where id = $1 returning 1 as ok",
      [submission_id],
    );
    await backend.sql(
      "update private.email_outbox set delivered_at = now() - interval '5 years' where reply_to = $1 returning 1 as ok",
      [email],
    );
    const left = async () => {
      const [row] = await backend.sql<{ submissions: number; mails: number }>(
        `select (select count(*) from public.contact_submissions where id = $1)::int as submissions,
           (select count(*) from private.email_outbox where submission_id = $1)::int as mails`,
        [submission_id],
      );
      return { ...row!, requests: (await findRow(backend, closed)) ? 1 : 0 };
    };
    return { email, submission_id, left };
  }

  const runRetention = () => backend.service.rpc("keep_retention", { source: "server" }).throwOnError();

  it.each<DataRightsRequestType>(["access", "portability", "restrict"])(
    "keeps expired data while a request of type %s is open, and deletes it afterwards",
    async (type) => {
      const { email, submission_id, left } = await createExpiredData();
      const request = await receiveConfirmed(backend, { email, type });
      expect((await admin.rpc("delete_submission", { submission_id })).error?.code).toBe("55006");
      await runRetention();
      expect(await left()).toEqual({ submissions: 1, mails: 1, requests: 1 });
      await complete(request.id);
      await runRetention();
      expect(await left()).toEqual({ submissions: 0, mails: 0, requests: 0 });
    },
  );

  it("deletes expired data despite an unconfirmed request or one of another type", async () => {
    const { email, submission_id, left } = await createExpiredData();
    await receiveRequest(backend, { email, type: "access" });
    await receiveConfirmed(backend, { email, type: "object" });
    await admin.rpc("delete_submission", { submission_id }).throwOnError();
    await runRetention();
    expect(await left()).toEqual({ submissions: 0, mails: 0, requests: 0 });
  });

  it("erases expired data for an erasure request despite an open access request", async () => {
    const { email, left } = await createExpiredData();
    await receiveConfirmed(backend, { email, type: "access" });
    const erasure = await receiveConfirmed(backend, { email, type: "erasure" });
    await admin.rpc("erase_subject", { request_id: erasure.id, mail: sampleMail }).throwOnError();
    expect(await left()).toEqual({ submissions: 0, mails: 0, requests: 0 });
  });
});
