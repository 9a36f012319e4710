import { afterEach, beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { receive } from "../support/examples.ts";
import { ago, countRows, keepRetention, setRows } from "../support/retention.ts";
import { signInAdmin } from "../support/test-backend.ts";

/** Tables whose foreign keys block deletion, as a table added by hand would. */
const keepers = `
  create table private.keeps_message (id uuid references public.contact_submissions (id));
  create table private.keeps_mail (id uuid references private.email_outbox (id));
  create table private.keeps_consent (id text references public.user_consents (session_id));`;

eachBackend("retention of rows that a constraint keeps", (backend) => {
  beforeAll(() => backend.exec(keepers));
  afterEach(() =>
    backend.exec(
      "delete from private.keeps_message; delete from private.keeps_mail; delete from private.keeps_consent;",
    ),
  );

  async function receiveOld(message: string): Promise<string> {
    const { submission_id } = (await receive(backend.service, { submission: { message } })).data!;
    await setRows(backend, "public.contact_submissions", submission_id, `created_at = ${ago("3 years")}`);
    return submission_id;
  }

  it("counts an undeletable row, deletes all others, and retries it in the next run", async () => {
    const [kept, gone] = [await receiveOld("kept"), await receiveOld("gone")];
    await backend.sql("insert into private.keeps_message values ($1) returning 1 as ok", [kept]);
    await setRows(backend, "private.contact_receipts", kept, `received_at = ${ago("2 days")}`, "submission_id");
    expect(await keepRetention(backend)).toMatchObject({ submissions: 1, submissions_refused: 1, receipts: 1 });
    expect(await countRows(backend, "public.contact_submissions", gone)).toBe(0);
    expect(await countRows(backend, "public.contact_submissions", kept)).toBe(1);

    await backend.sql("delete from private.keeps_message returning 1 as ok");
    expect(await keepRetention(backend)).toMatchObject({ submissions: 1 });
    expect(await countRows(backend, "public.contact_submissions", kept)).toBe(0);
  });

  it("counts undeletable mails and consents too", async () => {
    const { submission_id } = (await receive(backend.service)).data!;
    await backend.sql(
      `update private.email_outbox set delivered_at = ${ago("40 days")} where submission_id = $1 returning 1 as ok`,
      [submission_id],
    );
    await backend.sql(
      `insert into private.keeps_mail select id from private.email_outbox where submission_id = $1 limit 1 returning 1 as ok`,
      [submission_id],
    );
    await backend.sql(
      `insert into public.user_consents (session_id, analytics_consent, marketing_consent, functional_consent, consent_version, updated_at)
       select repeat(letter, 32), true, false, true, '1.0', ${ago("3 years")} from unnest(array['a', 'b']) as letter
       returning 1 as ok`,
    );
    await backend.sql("insert into private.keeps_consent values (repeat('a', 32)) returning 1 as ok");
    const mails = await countRows(backend, "private.email_outbox", submission_id, "submission_id");
    expect(await keepRetention(backend)).toMatchObject({
      mails: mails - 1,
      mails_refused: 1,
      consents: 1,
      consents_refused: 1,
    });
  });

  it("does not report an incomplete run to admins as the last one", async () => {
    const admin = backend.client((await signInAdmin(backend)).token);
    const lastRun = async () =>
      ((await admin.rpc("read_inbox").throwOnError()).data as { retention: { ran_at: string } | null }).retention
        ?.ran_at;
    await keepRetention(backend);
    const before = await lastRun();
    expect(before).toBeDefined();
    await backend.sql("insert into private.keeps_message values ($1) returning 1 as ok", [await receiveOld("held")]);
    expect(await keepRetention(backend)).toMatchObject({ submissions_refused: 1 });
    expect(await lastRun()).toBe(before);
  });
});
