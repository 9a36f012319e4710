import { beforeEach, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { receiveRequest } from "../support/data-rights.ts";
import { newCode, newFingerprint, receive } from "../support/examples.ts";
import { signInAdmin, type Person } from "../support/test-backend.ts";

/** Makes the next call of `correct_times` look. */
const nextCheck = "delete from private.rate_limits where key = 'all:correct-times'";

const minutes = (count: number) => `${String(count)} minutes`;

eachBackend("times from a clock that was ahead", (backend) => {
  let admin: Person;

  beforeEach(async () => {
    admin = await signInAdmin(backend);
    await backend.exec(`${nextCheck}; delete from private.email_outbox; delete from private.digests`);
  });

  const correct = async () => (await backend.service.rpc("correct_times").throwOnError()).data as number;

  /** Stores a time this far from now, lets the site correct it, and returns how far it is from now then. */
  async function correctFrom(table: string, column: string, distance: string, where = "true"): Promise<string> {
    await backend.sql(
      `update ${table} set ${column} = now() + interval '${distance}' where ${where} returning 1 as ok`,
    );
    await backend.exec(nextCheck);
    await correct();
    const [row] = await backend.sql<{ left: string }>(
      `select round(extract(epoch from ${column} - now()) / 60)::int || ' minutes' as left from ${table} where ${where}`,
    );
    return row!.left;
  }

  it.each([
    { column: "next_attempt_at", longest: 396, becomes: 0 },
    { column: "leased_until", longest: 60, becomes: 60 },
  ])("bring back $column of a mail, and leave the longest honest one", async ({ column, longest, becomes }) => {
    await receive(backend.service).throwOnError();
    const correctMail = (distance: string) => correctFrom("private.email_outbox", column, distance, "kind = 'firm'");
    expect(await correctMail(minutes(longest))).toBe(minutes(longest));
    expect(await correctMail("400 days")).toBe(minutes(becomes));
  });

  it("shorten a limit to its window, and lift none", async () => {
    const key = newCode();
    const count = () =>
      backend.sqlAs<{ hits: number }>("anon", "select * from public.count_attempt($1, 1, 900)", [key]);
    await count();
    const where = `key = '${key}'`;
    expect(await correctFrom("private.rate_limits", "resets_at", "15 minutes", where)).toBe("15 minutes");
    expect(await correctFrom("private.rate_limits", "resets_at", "400 days", where)).toBe("15 minutes");
    expect(await count()).toEqual([{ hits: 2, seconds_left: 900 }]);
  });

  it("shorten an expiry, and lengthen none", async () => {
    await backend.sql(
      `insert into private.setup_codes (user_id, digest, expires_at) values ($1, $2, now()) returning 1 as ok`,
      [admin.id, newFingerprint()],
    );
    const correctCode = (distance: string) =>
      correctFrom("private.setup_codes", "expires_at", distance, `user_id = '${admin.id}'`);
    expect(await correctCode("-1 minute")).toBe("-1 minutes");
    expect(await correctCode("10 minutes")).toBe("10 minutes");
    expect(await correctCode("400 days")).toBe(minutes(72 * 60));
  });

  it("let attempts with codes block nobody for longer than a quarter of an hour", async () => {
    await backend.sql("insert into private.wrong_codes (user_id) values ($1) returning 1 as ok", [admin.id]);
    expect(await correctFrom("private.wrong_codes", "entered_at", "400 days", `user_id = '${admin.id}'`)).toBe(
      "0 minutes",
    );
  });

  it("count the promise of an open message again", async () => {
    const due = { answer_due_at: new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString() };
    const id = (await receive(backend.service, { submission: due }).throwOnError()).data.submission_id;
    await backend.sql(
      "update public.contact_submissions set created_at = created_at + interval '400 days' where id = $1 returning 1 as ok",
      [id],
    );
    const where = `id = '${id}'`;
    expect(await correctFrom("public.contact_submissions", "answer_due_at", "14 days", where)).toBe(
      minutes(14 * 24 * 60),
    );
    expect(await correctFrom("public.contact_submissions", "answer_due_at", "401 days", where)).toBe(minutes(24 * 60));
  });

  it("count the legal deadline of an open request again, but not of one whose deletion is counted from it", async () => {
    const { id } = await receiveRequest(backend);
    const change = (assignments: string) =>
      backend.sql(`update public.data_rights_requests set ${assignments} where id = $1 returning 1 as ok`, [id]);
    const daysLeft = async () => {
      await backend.exec(nextCheck);
      await correct();
      const sql = "select due_on - private.today() as days from public.data_rights_requests where id = $1";
      return (await backend.sql<{ days: number }>(sql, [id]))[0]!.days;
    };
    await change("due_on = due_on + 400");
    expect(await daysLeft()).toBeGreaterThan(400);
    await change("state = 'open', confirmed_at = now()");
    expect(await daysLeft()).toBeLessThanOrEqual(30);
    await change("due_on = private.today() + 92, extended_at = now(), extension_reason = 'Many systems'");
    expect(await daysLeft()).toBe(92);
  });

  it("let the next digest go out tomorrow", async () => {
    await backend.exec("insert into private.digests (day) values (private.today() + 400)");
    await correct();
    const { data } = await backend.service
      .rpc("list_firm_notices", { morning: new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10) })
      .throwOnError();
    expect((data as { is_digest_due: boolean }).is_digest_due).toBe(true);
  });

  it("are looked at once an hour, and at once after the clock was set back", async () => {
    await receive(backend.service).throwOnError();
    await correct();
    const wrong = "update private.email_outbox set next_attempt_at = now() + interval '400 days'";
    await backend.exec(wrong);
    expect(await correct()).toBe(0);
    await backend.exec(
      "update private.rate_limits set resets_at = now() + interval '2 hours' where key = 'all:correct-times'",
    );
    expect(await correct()).toBe(2);
    await backend.exec(wrong);
    await backend.exec(
      "update private.rate_limits set resets_at = now() - interval '1 second' where key = 'all:correct-times'",
    );
    expect(await correct()).toBe(2);
  });

  it("swallow no message that is sent again", async () => {
    const fingerprint = newFingerprint();
    const send = async () => (await receive(backend.service, { fingerprint }).throwOnError()).data.is_new;
    expect([await send(), await send()]).toEqual([true, false]);
    await backend.exec("update private.contact_receipts set received_at = received_at + interval '400 days'");
    expect(await send()).toBe(true);
  });
});
