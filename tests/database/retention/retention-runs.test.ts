import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("retention runs", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });

  async function keepRetention(source = "server") {
    return (await backend.service.rpc("keep_retention", { source }).throwOnError()).data as Record<string, number>;
  }

  it("deletes records of runs, admin events and tombstones after three years", async () => {
    await backend.sql(
      "insert into private.retention_runs values (now() - interval '3 years 1 day', 'server', '{}') returning 1 as ok",
    );
    await backend.sql(
      `insert into public.admin_events (at, actor, action)
       values (now() - interval '3 years 1 day', gen_random_uuid(), 'old'), (now() - interval '2 years', gen_random_uuid(), 'young') returning 1 as ok`,
    );
    await backend.sql(
      `insert into private.erasure_tombstones (reference, email_hash, counts, erased_at, erased_by)
       values ('DR-OLD', repeat('a', 64), '{}', now() - interval '3 years 1 day', gen_random_uuid()) returning 1 as ok`,
    );
    expect(await keepRetention()).toMatchObject({ records: 3 });
    const kept = await backend.sql("select action from public.admin_events where action in ('old', 'young')");
    expect(kept).toEqual([{ action: "young" }]);
  });

  it("shows time, source and counts of the last run to admins", async () => {
    const counts = await keepRetention("pg_cron");
    const { retention } = (await admin.rpc("read_inbox").throwOnError()).data;
    expect(retention).toEqual({ ran_at: expect.any(String), source: "pg_cron", counts });
    expect(Date.now() - Date.parse(retention.ran_at)).toBeLessThan(60_000);
    const { error } = await backend.service.rpc("keep_retention", { source: "Ada <ada@example.com>" });
    expect(error?.code).toBe("23514");
    expect((await backend.service.rpc("keep_retention", { source: null })).error?.code).toBe("23502");
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
    expect(await schedule()).toEqual([{ scheduled: true }]);
    expect(await schedule()).toEqual([{ scheduled: true }]);
    const [job, ...others] = await backend.sql<{ jobname: string; schedule: string; command: string }>(
      "select jobname, schedule, command from cron.job",
    );
    expect([job!.jobname, job!.schedule, others]).toEqual(["keep-retention", "17 3 * * *", []]);
    await backend.exec(job!.command);
    expect((await admin.rpc("read_inbox").throwOnError()).data.retention).toMatchObject({ source: "pg_cron" });
  });
});
