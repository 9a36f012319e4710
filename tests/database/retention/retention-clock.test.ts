import { beforeEach, expect, it } from "vitest";
import { call, useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receiveRequest } from "../support/data-rights.ts";
import { newCode, newFingerprint, receive, receiveMessage } from "../support/examples.ts";
import { ago, countRows, keepRetention, setRows } from "../support/retention.ts";

eachBackend("runs of retention", (backend) => {
  const admin = useAdmin(backend);
  /** id of a message past its retention period */
  let old: string;

  // As after a first run.
  beforeEach(async () => {
    await backend.exec("delete from private.retention_clock");
    await keepRetention(backend);
    old = await receiveMessage(backend);
    await setRows(backend, "public.contact_submissions", old, `created_at = ${ago("3 years")}`);
  });

  /** Makes this much time pass since retention last read the clock. A negative time sets the clock back. */
  const pass = (time: string) =>
    backend.exec(
      `update private.retention_clock set seen_at = seen_at - interval '${time}', doubted_since = doubted_since - interval '${time}'`,
    );

  async function countRuns(): Promise<number> {
    return (await backend.sql<{ n: number }>("select count(*)::int as n from private.retention_runs"))[0]!.n;
  }

  it.each(["the first time", "after 1 day", "after 13 days 23 hours", "after -30 minutes"])("runs %s", async (when) => {
    await (when === "the first time" ? backend.exec("delete from private.retention_clock") : pass(when.slice(6)));
    expect(await keepRetention(backend)).toMatchObject({ submissions: 1 });
  });

  it.each([
    ["15 days", ["1 minute", "22 hours"]],
    ["20 years", ["1 minute", "22 hours"]],
    ["-2 hours", ["1 minute", "22 hours"]],
    ["-20 years", ["1 minute", "22 hours"]],
    // Back to the right time.
    ["5 years", ["-5 years", "22 hours"]],
  ])("waits a day after a clock jump of %s and %j", async (jump, times) => {
    const runs = await countRuns();
    await pass(jump);
    // Runs of a server that restarts repeatedly, then the next run of a daily timer.
    for (const time of ["0", ...times]) {
      await pass(time);
      expect(await keepRetention(backend), time).toBeNull();
    }
    expect([await countRows(backend, "public.contact_submissions", old), await countRuns()]).toEqual([1, runs]);
    await pass("2 hours");
    expect(await keepRetention(backend)).toMatchObject({ submissions: 1 });
    expect(await countRuns()).toBe(runs + 1);
  });

  const waits = async () => (await admin.call("read_inbox")).retention_waits;
  it("reports the wait to admins from the moment of the jump", async () => {
    expect(await waits()).toBe(false);
    await pass("15 days");
    expect(await waits()).toBe(true);
    await keepRetention(backend);
    expect(await waits()).toBe(true);
    await pass("1 day");
    expect(await waits()).toBe(false);
  });

  const readLastRun = async () => (await admin.call("read_inbox")).retention;

  const keep = (source: string | null) => call(backend.service, "keep_retention", { source });
  it("shows time, source and counts of the last run to admins", async () => {
    const counts = await keep("pg_cron");
    const { ran_at, ...shown } = await readLastRun();
    expect(shown).toEqual({ source: "pg_cron", counts });
    expect(Date.now() - Date.parse(ran_at)).toBeLessThan(60_000);
    expect([await keep("Ada <ada@example.com>"), await keep(null)]).toEqual(["23514", "23502"]);
  });

  it("schedules one daily run where pg_cron exists, and none elsewhere", async () => {
    const schedule = () => backend.sql<{ scheduled: boolean }>("select private.schedule_retention() as scheduled");
    expect(await schedule()).toEqual([{ scheduled: false }]);
    // The part of pg_cron in use: a job replaces an earlier one of the same name.
    await backend.exec(`create schema cron;
       create table cron.job (jobname text primary key, schedule text, command text);
       create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as $$
         insert into cron.job values (job_name, schedule, command)
         on conflict (jobname) do update set schedule = excluded.schedule, command = excluded.command returning 1::bigint $$;`);
    for (let time = 0; time < 2; time += 1) expect(await schedule()).toEqual([{ scheduled: true }]);
    const [job, ...others] = await backend.sql<{ jobname: string; schedule: string; command: string }>(
      "select jobname, schedule, command from cron.job",
    );
    expect([job!.jobname, job!.schedule, others]).toEqual(["keep-retention", "17 3 * * *", []]);
    await backend.exec(job!.command);
    expect(await readLastRun()).toMatchObject({ source: "pg_cron" });
  });
});

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
