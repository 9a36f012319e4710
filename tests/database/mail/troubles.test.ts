import { beforeEach, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { receive } from "../support/examples.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("trouble", (backend) => {
  beforeEach(async () => {
    await backend.sql("delete from private.troubles returning 1 as ok");
    await backend.sql("delete from private.email_outbox returning 1 as ok");
  });

  const report = (...causes: string[]) => backend.service.rpc("report_trouble", { causes }).throwOnError();

  async function listDue(): Promise<string[]> {
    const { data } = await backend.service.rpc("list_due_trouble_mails").throwOnError();
    return (data as { cause: string; notice: string }[]).map(({ cause, notice }) => `${cause} ${notice}`);
  }

  /** Queues every due mail as deliver-outbox does, and returns them. With `isDelivered`, the firm gets them. */
  async function queueDue(isDelivered = true): Promise<string[]> {
    const due = await listDue();
    for (const [cause, notice] of due.map((each) => each.split(" "))) {
      const mail = { subject: "S", body: "B" };
      expect((await backend.service.rpc("queue_trouble_mail", { cause, notice, mail })).data).toBe(true);
    }
    if (isDelivered) await backend.sql("delete from private.email_outbox where kind = 'trouble' returning 1 as ok");
    return due;
  }

  /** Moves everything that is stored about trouble into the past. */
  async function pass(time: string): Promise<void> {
    await backend.sql(
      `update private.troubles set since = since - $1::interval, seen_at = seen_at - $1::interval,
         ended_at = ended_at - $1::interval, mailed_at = mailed_at - $1::interval,
         hook_called_at = hook_called_at - $1::interval, hook_tried_at = hook_tried_at - $1::interval returning 1 as ok`,
      [time],
    );
    await backend.sql(
      `update private.email_outbox set created_at = created_at - $1::interval, delivered_at = delivered_at - $1::interval
       returning 1 as ok`,
      [time],
    );
  }

  /** Claims the due calls of TROUBLE_URL as deliver-outbox does, and returns them; `+` follows a repeated one. */
  async function callDue(isAccepted = true): Promise<string[]> {
    await listDue();
    const { data } = await backend.service.rpc("claim_trouble_calls").throwOnError();
    const calls = data as { cause: string; notice: string; is_repeated: boolean }[];
    for (const { cause, notice } of isAccepted ? calls : [])
      await backend.service.rpc("settle_trouble_call", { cause, notice }).throwOnError();
    return calls.map(({ cause, notice, is_repeated }) => `${cause} ${notice}${is_repeated ? "+" : ""}`);
  }

  const restart = () => backend.sql("select private.forget_trouble_reports()");

  it("mails a state once a day while it is reported, and once when it ended", async () => {
    await report("disk-low");
    expect(await queueDue()).toEqual(["disk-low lasts"]);
    for (const time of ["10 minutes", "12 hours", "11 hours"]) {
      await pass(time);
      await report("disk-low");
      expect(await queueDue()).toEqual([]);
    }
    await pass("1 hour");
    await report("disk-low");
    expect(await queueDue()).toEqual(["disk-low lasts"]);
    await pass("20 minutes");
    await report();
    expect(await queueDue()).toEqual([]);
    await pass("11 minutes");
    await report();
    expect(await queueDue()).toEqual(["disk-low ended"]);
    await pass("10 days");
    expect(await queueDue()).toEqual([]);
  });

  it("does not mail a state that comes and goes again within the day", async () => {
    await report("disk-low");
    await queueDue();
    await pass("31 minutes");
    await report();
    expect(await queueDue()).toEqual(["disk-low ended"]);
    await pass("1 hour");
    await report("disk-low");
    expect(await queueDue()).toEqual([]);
    await pass("31 minutes");
    await report();
    expect(await queueDue()).toEqual([]);
    await pass("1 day");
    await report("disk-low");
    expect(await queueDue()).toEqual(["disk-low lasts"]);
  });

  it("keeps a state that one of several processes reports, and ends none while no process reports", async () => {
    await report("limits-refused");
    await queueDue();
    await pass("29 minutes");
    await report();
    expect(await queueDue()).toEqual([]);
    await pass("12 hours");
    expect(await queueDue()).toEqual([]);
    await report("limits-refused");
    await report();
    expect(await queueDue()).toEqual([]);
  });

  it("mails an event once, and the next one a day later", async () => {
    await report("thread-ended");
    expect(await queueDue()).toEqual(["thread-ended happened"]);
    await pass("1 hour");
    await report("thread-ended");
    expect(await queueDue()).toEqual([]);
    await pass("23 hours");
    expect(await queueDue()).toEqual(["thread-ended happened"]);
    await pass("2 days");
    expect(await queueDue()).toEqual([]);
  });

  it("queues nothing about a cause while its last mail waits", async () => {
    await report("disk-low", "thread-ended");
    expect(await queueDue(false)).toHaveLength(2);
    await pass("2 days");
    await report("disk-low", "thread-ended");
    expect((await listDue()).filter((due) => !due.startsWith("mail-waits"))).toEqual([]);
    await backend.sql("delete from private.email_outbox returning 1 as ok");
    expect(await queueDue()).toEqual(["disk-low lasts", "thread-ended happened"]);
  });

  it("mails nothing as lasting that only an earlier process reported", async () => {
    await report("disk-low", "backup-late");
    expect(await queueDue()).toHaveLength(2);
    await pass("1 day");
    expect([await queueDue(), await callDue()]).toEqual([[], []]);
    await report("backup-late");
    expect((await queueDue()).toSorted()).toEqual(["backup-late lasts", "disk-low ended"]);

    // A restart, which ends at once the states that the new process does not report.
    await pass("1 day");
    await report("backup-late");
    await restart();
    expect(await queueDue()).toEqual([]);
    await report();
    expect(await queueDue()).toEqual(["backup-late ended"]);
  });

  it("withdraws the mail about a lasting state that was not delivered before a restart", async () => {
    await report("disk-low");
    expect(await queueDue(false)).toEqual(["disk-low lasts"]);
    await restart();
    expect(await backend.sql("select 1 from private.email_outbox")).toEqual([]);
    await report("disk-low");
    expect(await queueDue()).toEqual(["disk-low lasts"]);
    await pass("25 hours");
    await report("disk-low");
    expect(await queueDue(false)).toEqual(["disk-low lasts"]);
    await restart();
    await report();
    // The firm got the first mail.
    expect(await queueDue()).toEqual(["disk-low ended"]);
  });

  it("calls once for each state, its end and each event, also while no mail is delivered", async () => {
    await report("disk-low", "thread-ended");
    expect(await queueDue(false)).toHaveLength(2);
    expect(await callDue()).toEqual(["disk-low lasts", "thread-ended happened"]);
    await pass("2 days");
    await restart();
    await report("disk-low");
    expect(await callDue()).toEqual([]);
    await pass("31 minutes");
    await report("backup-late");
    expect(await callDue()).toEqual(["backup-late lasts", "disk-low ended", "mail-waits lasts"]);
    // It flaps.
    await report("disk-low");
    expect(await callDue()).toEqual(["disk-low lasts"]);
    await pass("31 minutes");
    await report();
    await report("disk-low");
    expect(await callDue()).toEqual(["backup-late ended"]);
  });

  it("repeats failed calls after a minute, together, and those of a day about what has ended since", async () => {
    await report("disk-low");
    expect(await callDue(false)).toEqual(["disk-low lasts"]);
    await pass("50 seconds");
    await report("backup-late");
    expect(await callDue(false)).toEqual([]);
    await pass("20 seconds");
    expect(await callDue(false)).toEqual(["backup-late lasts", "disk-low lasts+"]);
    await pass("31 minutes");
    await report("backup-late");
    expect(await callDue()).toEqual(["backup-late lasts+", "disk-low ended+"]);
    expect(await callDue()).toEqual([]);
    await report("copy-late");
    expect(await callDue(false)).toEqual(["copy-late lasts"]);
    await pass("31 minutes");
    await report("backup-late");
    await pass("25 hours");
    await report("backup-late");
    expect(await callDue()).toEqual([]);
  });

  it("calls and mails each once over a clock that jumps ahead a year, and back", async () => {
    await report("disk-low", "thread-ended", "backup-late");
    expect([(await queueDue()).length, (await callDue()).length]).toEqual([3, 3]);
    await pass("31 minutes");
    await report("backup-late");
    expect([await queueDue(), await callDue()]).toEqual([["disk-low ended"], ["disk-low ended"]]);
    await pass("-1 year");
    await backend.sql("delete from private.rate_limits where key = 'all:correct-times' returning 1 as ok");
    await backend.service.rpc("correct_times").throwOnError();
    await report("backup-late");
    expect([await queueDue(), await callDue()]).toEqual([[], []]);
    await pass("31 minutes");
    await report();
    expect([await queueDue(), await callDue()]).toEqual([["backup-late ended"], ["backup-late ended"]]);
  });

  it("calls an hour and ten minutes after a mail server stops taking mail, and when it takes mail", async () => {
    await receive(backend.service).throwOnError();
    await pass("61 minutes");
    expect(await callDue()).toEqual([]);
    await pass("10 minutes");
    expect([await queueDue(), await callDue()]).toEqual([[], ["mail-waits lasts"]]);
    await restart();
    expect(await callDue()).toEqual([]);
    await backend.sql("update private.email_outbox set delivered_at = now() returning 1 as ok");
    expect([await queueDue(), await callDue()]).toEqual([["mail-waits ended"], ["mail-waits ended"]]);
  });

  it("finds by itself that mail waits, and says so when the server takes mail", async () => {
    await receive(backend.service).throwOnError();
    await pass("59 minutes");
    expect(await queueDue()).toEqual([]);
    await pass("1 minute");
    expect(await queueDue()).toEqual([]);
    await pass("3 hours");
    expect(await queueDue()).toEqual([]);
    // Another mail was delivered: the server takes mail.
    await backend.sql("update private.email_outbox set delivered_at = now() where kind = 'firm' returning 1 as ok");
    expect(await queueDue()).toEqual(["mail-waits lasts"]);
    await backend.sql("update private.email_outbox set delivered_at = now() returning 1 as ok");
    expect(await queueDue()).toEqual(["mail-waits ended"]);
  });

  it("mails the end of an outage of mail, but not of a brief one", async () => {
    for (const [lasted, expected] of [
      ["9 minutes", []],
      ["11 minutes", ["mail-waits ended"]],
    ] as const) {
      await backend.sql("delete from private.troubles returning 1 as ok");
      await receive(backend.service).throwOnError();
      await pass("61 minutes");
      expect(await listDue()).toEqual([]);
      await pass(lasted);
      await backend.sql("update private.email_outbox set delivered_at = now() returning 1 as ok");
      expect(await queueDue()).toEqual(expected);
    }
  });

  it("finds by itself that retention is late or waits, after ten minutes", async () => {
    const run = (daysAgo: number, counts: object) =>
      backend.sql(
        `insert into private.retention_runs (ran_at, source, counts)
         values (now() - $1::float * interval '1 day', 'timer', $2) returning 1 as ok`,
        [daysAgo, counts],
      );
    const newProject = await listDue();
    expect(newProject).toEqual([]);
    await run(3, {});
    await run(0, { mails_refused: 1 });
    expect(await queueDue()).toEqual([]);
    await pass("11 minutes");
    expect(await queueDue()).toEqual(["retention-late lasts"]);
    await backend.sql("update private.retention_runs set counts = '{}' returning 1 as ok");
    expect(await queueDue()).toEqual(["retention-late ended"]);

    await backend.sql(
      "insert into private.retention_clock (seen_at) values (now() - interval '20 days') on conflict (is_only) do update set seen_at = excluded.seen_at returning 1 as ok",
    );
    expect(await queueDue()).toEqual([]);
    await pass("11 minutes");
    expect(await queueDue()).toEqual(["retention-waits lasts"]);
    await backend.sql("delete from private.retention_clock returning 1 as ok");
    expect(await queueDue()).toEqual(["retention-waits ended"]);
    await backend.sql("delete from private.retention_runs returning 1 as ok");
  });

  it("queues a mail once when two workers run", async () => {
    await report("disk-low");
    const queue = { cause: "disk-low", notice: "lasts", mail: { subject: "S", body: "B" } };
    const queued = await Promise.all([1, 2].map(() => backend.service.rpc("queue_trouble_mail", queue)));
    expect(queued.map(({ data }) => data).toSorted()).toEqual([false, true]);
    expect(await backend.sql("select kind, recipient from private.email_outbox")).toEqual([
      { kind: "trouble", recipient: null },
    ]);
  });

  it("rejects unknown causes, and those that the database finds", async () => {
    const send = async (...causes: string[]) => (await backend.service.rpc("report_trouble", { causes })).error?.code;
    expect(await send("jane@doe.example")).toBe("23514");
    expect(await send("mail-waits")).toBe("22023");
    const anonymous = await backend.client().rpc("report_trouble", { causes: ["disk-low"] });
    expect(anonymous.error?.code).toBe("42501");
  });

  it("shows admins what lasts, and events for a day", async () => {
    const admin = await signInAdmin(backend);
    const read = async () => {
      const { data } = await backend.client(admin.token).rpc("read_inbox").throwOnError();
      return (data as { troubles: { cause: string }[] }).troubles.map(({ cause }) => cause);
    };
    await report("disk-low", "process-ended");
    expect((await read()).toSorted()).toEqual(["disk-low", "process-ended"]);
    await pass("25 hours");
    // A day without a report: the site was off.
    expect(await read()).toEqual([]);
    await report("disk-low");
    expect(await read()).toEqual(["disk-low"]);
    await pass("31 minutes");
    await report();
    expect(await read()).toEqual([]);
  });
});
