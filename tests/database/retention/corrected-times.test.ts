import { beforeEach, expect, it } from "vitest";
import { call, useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receiveRequest } from "../support/data-rights.ts";
import { newCode, newFingerprint, receive, receiveMessage } from "../support/examples.ts";

/** Makes the next call of `correct_times` look. */
const nextCheck = "delete from private.rate_limits where key = 'all:correct-times'";

const day = 24 * 60;

eachBackend("times from a clock that was ahead", (backend) => {
  const admin = useAdmin(backend);

  beforeEach(() => backend.exec(`${nextCheck}; delete from private.email_outbox; delete from private.digests`));

  const correct = () => call(backend.service, "correct_times");

  // Each creates a row and returns the condition that finds it.
  async function storeMail() {
    await receiveMessage(backend);
    return "kind = 'firm'";
  }
  async function storeAttempt() {
    const key = newCode();
    await call(backend.client(), "count_attempt", { subject_key: key, change: 1, seconds: 900 });
    return `key = '${key}' and hits = 1`;
  }
  async function storeCode() {
    await backend.exec(`insert into private.setup_codes (user_id, digest, expires_at)
      values ('${admin.id}', '${newFingerprint()}', now())`);
    return `user_id = '${admin.id}'`;
  }
  async function storeWrongCode() {
    await backend.exec(`insert into private.wrong_codes (user_id) values ('${admin.id}')`);
    return `user_id = '${admin.id}'`;
  }
  async function storePromise() {
    const due = { answer_due_at: new Date(Date.now() + day * 60_000).toISOString() };
    const submission_id = await receiveMessage(backend, { submission: due });
    const arrived = "created_at = created_at + interval '399 days'";
    await backend.exec(`update public.contact_submissions set ${arrived} where id = '${submission_id}'`);
    return `id = '${submission_id}'`;
  }

  // The honest distances from now stay; a time in 400 days becomes the last one. All in minutes.
  it.each<[string, string, string, () => Promise<string>, number[], number]>([
    ["mail's next attempt: now", "private.email_outbox", "next_attempt_at", storeMail, [396], 0],
    ["mail's lease: an hour", "private.email_outbox", "leased_until", storeMail, [60], 60],
    ["limit: its window, and not lifted", "private.rate_limits", "resets_at", storeAttempt, [15], 15],
    ["expiry: its longest, and not lengthened", "private.setup_codes", "expires_at", storeCode, [-1, 10], 72 * 60],
    ["wrong code: now", "private.wrong_codes", "entered_at", storeWrongCode, [-5], 0],
    ["promise of an open message: anew", "public.contact_submissions", "answer_due_at", storePromise, [14 * day], day],
  ])("are corrected for the %s", async (_, table, column, store, kept, becomes) => {
    const where = await store();
    const correctFrom = async (minutes: number) => {
      await backend.exec(`update ${table} set ${column} = now() + interval '${minutes} minutes' where ${where}`);
      await backend.exec(nextCheck);
      await correct();
      const [row] = await backend.sql<{ left: number }>(
        `select round(extract(epoch from ${column} - now()) / 60)::int as left from ${table} where ${where}`,
      );
      return row!.left;
    };
    for (const minutes of kept) expect(await correctFrom(minutes)).toBe(minutes);
    expect(await correctFrom(400 * day)).toBe(becomes);
  });

  it("give an open request its legal deadline again, but none whose deletion is counted from it", async () => {
    const { id } = await receiveRequest(backend);
    const readDaysLeft = async (assignments: string) => {
      await backend.exec(`update public.data_rights_requests set ${assignments} where id = '${id}'; ${nextCheck}`);
      await correct();
      const sql = "select due_on - private.today() as days from public.data_rights_requests where id = $1";
      return (await backend.sql<{ days: number }>(sql, [id]))[0]!.days;
    };
    expect(await readDaysLeft("due_on = due_on + 400")).toBeGreaterThan(400);
    expect(await readDaysLeft("state = 'open', confirmed_at = now()")).toBeLessThanOrEqual(30);
    const extended = "due_on = private.today() + 92, extended_at = now(), extension_reason = 'Many systems'";
    expect(await readDaysLeft(extended)).toBe(92);
  });

  it("let the next digest go out tomorrow", async () => {
    await backend.exec("insert into private.digests (day) values (private.today() + 400)");
    await correct();
    const morning = new Date(Date.now() + 2 * day * 60_000).toISOString().slice(0, 10);
    expect((await call(backend.service, "list_firm_notices", { morning })).is_digest_due).toBe(true);
  });

  it("are looked at once an hour, and at once after the clock was set back", async () => {
    await storeMail();
    await correct();
    const afterNextCheck = async (from: string) => {
      await backend.exec(
        `update private.email_outbox set next_attempt_at = now() + interval '400 days';
         update private.rate_limits set resets_at = ${from} where key = 'all:correct-times'`,
      );
      return correct();
    };
    expect(await afterNextCheck("resets_at")).toBe(0);
    expect(await afterNextCheck("now() + interval '2 hours'")).toBe(2);
    expect(await afterNextCheck("now() - interval '1 second'")).toBe(2);
  });

  it("swallow no message that is sent again", async () => {
    const fingerprint = newFingerprint();
    const send = async () => (await receive(backend.service, { fingerprint }).throwOnError()).data.is_new;
    expect([await send(), await send()]).toEqual([true, false]);
    await backend.exec("update private.contact_receipts set received_at = received_at + interval '400 days'");
    expect(await send()).toBe(true);
  });
});
