import { beforeEach, expect, it } from "vitest";
import { call, useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receiveMessage } from "../support/examples.ts";
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
