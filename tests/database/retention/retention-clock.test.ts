import { beforeEach, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { receive } from "../support/examples.ts";
import { countRows, keepRetention, setRows } from "../support/retention.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("retention after a clock jump", (backend) => {
  /** id of a message past its retention period */
  let old: string;

  beforeEach(async () => {
    old = (await receive(backend.service)).data!.submission_id;
    await setRows(backend, "public.contact_submissions", old, "created_at = now() - interval '3 years'");
    await backend.sql("delete from private.retention_clock returning 1 as ok");
  });

  /** Makes this much time pass since retention last read the clock. A negative time sets the clock back. */
  const pass = (time: string) =>
    backend.sql(
      `update private.retention_clock set seen_at = seen_at - interval '${time}', doubted_since = doubted_since - interval '${time}'
       returning 1 as ok`,
    );

  const isKept = async () => (await countRows(backend, "public.contact_submissions", old)) === 1;

  async function countRuns(): Promise<number> {
    return (await backend.sql<{ n: number }>("select count(*)::int as n from private.retention_runs"))[0]!.n;
  }

  it("runs the first time, after less than 14 days, and after a step back of 30 minutes", async () => {
    expect(await keepRetention(backend)).toMatchObject({ submissions: 1 });
    for (const time of ["1 day", "13 days 23 hours", "-30 minutes"]) {
      await pass(time);
      expect(await keepRetention(backend), time).toMatchObject({ submissions: 0 });
    }
  });

  it.each(["15 days", "20 years", "-2 hours", "-20 years"])("waits a day after a clock jump of %s", async (jump) => {
    await setRows(backend, "public.contact_submissions", old, "created_at = now()");
    await keepRetention(backend);
    await setRows(backend, "public.contact_submissions", old, "created_at = now() - interval '3 years'");
    await pass(jump);
    const runs = await countRuns();
    // Runs of a server that restarts repeatedly, then the next run of a daily timer.
    for (const time of ["0", "1 minute", "22 hours"]) {
      await pass(time);
      expect(await keepRetention(backend), time).toBeNull();
    }
    expect([await isKept(), await countRuns()]).toEqual([true, runs]);
    await pass("2 hours");
    expect(await keepRetention(backend)).toMatchObject({ submissions: 1 });
    expect(await countRuns()).toBe(runs + 1);
  });

  it("waits again when the clock jumps back to the right time", async () => {
    await setRows(backend, "public.contact_submissions", old, "created_at = now()");
    await keepRetention(backend);
    await setRows(backend, "public.contact_submissions", old, "created_at = now() - interval '3 years'");
    await pass("5 years");
    expect(await keepRetention(backend)).toBeNull();
    await pass("-5 years");
    expect(await keepRetention(backend)).toBeNull();
    await pass("22 hours");
    expect([await keepRetention(backend), await isKept()]).toEqual([null, true]);
    await pass("2 hours");
    expect(await keepRetention(backend)).toMatchObject({ submissions: 1 });
  });

  it("reports the wait to admins from the moment of the jump", async () => {
    const admin = backend.client((await signInAdmin(backend)).token);
    const waits = async () => (await admin.rpc("read_inbox").throwOnError()).data.retention_waits;
    expect(await waits()).toBe(false);
    await keepRetention(backend);
    expect(await waits()).toBe(false);
    await pass("15 days");
    expect(await waits()).toBe(true);
    await keepRetention(backend);
    expect(await waits()).toBe(true);
    await pass("1 day");
    expect(await waits()).toBe(false);
  });
});
