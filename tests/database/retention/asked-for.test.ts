import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DataRightsRequestType } from "#supabase/functions/_shared/data-rights-request.ts";
import { backends } from "../support/backends.ts";
import { answerMail, findRow, newAddress, receiveConfirmed, receiveRequest } from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { signInAdmin, type TestBackend } from "../support/test-backend.ts";

describe.each(backends)("what somebody has asked for on $name", ({ start }) => {
  let backend: TestBackend;
  let admin: SupabaseClient;

  beforeAll(async () => {
    backend = await start();
    admin = backend.client((await signInAdmin(backend)).token);
  });
  afterAll(() => backend?.close());

  const complete = (request_id: string) =>
    admin.rpc("complete_request", { request_id, note: null, mail: answerMail }).throwOnError();

  /** A message, its mail and a closed request, all past their time. */
  async function pastItsTime() {
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

  const keep = () => backend.service.rpc("keep_retention", { source: "server" }).throwOnError();

  it.each<DataRightsRequestType>(["access", "portability", "restrict"])(
    "is neither deleted by an admin nor by retention while a request of type %s is open, and then it is",
    async (type) => {
      const { email, submission_id, left } = await pastItsTime();
      const request = await receiveConfirmed(backend, { email, type });
      expect((await admin.rpc("delete_submission", { submission_id })).error?.code).toBe("55006");
      await keep();
      expect(await left()).toEqual({ submissions: 1, mails: 1, requests: 1 });
      await complete(request.id);
      await keep();
      expect(await left()).toEqual({ submissions: 0, mails: 0, requests: 0 });
    },
  );

  it("is kept by no unconfirmed request, and by none of another type", async () => {
    const { email, submission_id, left } = await pastItsTime();
    await receiveRequest(backend, { email, type: "access" });
    await receiveConfirmed(backend, { email, type: "object" });
    await admin.rpc("delete_submission", { submission_id }).throwOnError();
    await keep();
    expect(await left()).toEqual({ submissions: 0, mails: 0, requests: 0 });
  });

  it("goes with the person's own erasure, which comes first", async () => {
    const { email, left } = await pastItsTime();
    await receiveConfirmed(backend, { email, type: "access" });
    const erasure = await receiveConfirmed(backend, { email, type: "erasure" });
    await admin.rpc("erase_subject", { request_id: erasure.id, mail: answerMail }).throwOnError();
    expect(await left()).toEqual({ submissions: 0, mails: 0, requests: 0 });
  });
});
