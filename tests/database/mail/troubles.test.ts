import { beforeEach, expect, it } from "vitest";
import { call, useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { listMails } from "../support/mail.ts";

/** A moment of a site with trouble. What it names happens in this order. */
interface Moment {
  /** the time since the moment before */
  after?: string;
  /** statement that changes what the database finds by itself */
  sql?: string;
  restarts?: true;
  /** the causes that a process reports; without them, none reports */
  reports?: string[];
  /** the mails that are due, as "<cause> <notice>", which the firm gets at once */
  mails?: string[];
  /** the same, but the mail server takes none */
  waits?: string[];
  /** the calls of TROUBLE_URL, which accepts them; "+" follows a repeated one */
  calls?: string[];
  /** the same, but TROUBLE_URL fails */
  fails?: string[];
}

type Due = { cause: string; notice: string; is_repeated?: boolean };

const queueMail = `insert into private.email_outbox (kind, subject, body, forget_when_delivered)
  values ('digest', 'S', 'B', true)`;
const deliver = "update private.email_outbox set delivered_at = now()";
const correctTimes = "delete from private.rate_limits where key = 'all:correct-times'; select public.correct_times()";
const addRun = (ago: string, counts: string) =>
  `insert into private.retention_runs (ran_at, source, counts) values (now() - interval '${ago}', 'timer', '${counts}')`;

const stories: Record<string, Moment[]> = {
  "mails a state once a day while it is reported, and once when it ended": [
    { reports: ["disk-low"], mails: ["disk-low lasts"] },
    { after: "10 minutes", reports: ["disk-low"], mails: [] },
    { after: "12 hours", reports: ["disk-low"], mails: [] },
    { after: "11 hours", reports: ["disk-low"], mails: [] },
    { after: "1 hour", reports: ["disk-low"], mails: ["disk-low lasts"] },
    { after: "20 minutes", reports: [], mails: [] },
    { after: "11 minutes", reports: [], mails: ["disk-low ended"] },
    { after: "10 days", mails: [] },
  ],
  "does not mail a state that comes and goes again within the day": [
    { reports: ["disk-low"], mails: ["disk-low lasts"] },
    { after: "31 minutes", reports: [], mails: ["disk-low ended"] },
    { after: "1 hour", reports: ["disk-low"], mails: [] },
    { after: "31 minutes", reports: [], mails: [] },
    { after: "1 day", reports: ["disk-low"], mails: ["disk-low lasts"] },
  ],
  "keeps a state that one of several processes reports, and ends none while no process reports": [
    { reports: ["limits-refused"], mails: ["limits-refused lasts"] },
    { after: "29 minutes", reports: [], mails: [] },
    { after: "12 hours", mails: [] },
    { reports: ["limits-refused"] },
    { reports: [], mails: [] },
  ],
  "mails an event once, and the next one a day later": [
    { reports: ["thread-ended"], mails: ["thread-ended happened"] },
    { after: "1 hour", reports: ["thread-ended"], mails: [] },
    { after: "23 hours", mails: ["thread-ended happened"] },
    { after: "2 days", mails: [] },
  ],
  "queues nothing about a cause while its last mail waits": [
    { reports: ["disk-low", "thread-ended"], waits: ["disk-low lasts", "thread-ended happened"] },
    { after: "2 days", reports: ["disk-low", "thread-ended"], waits: [] },
    { sql: "delete from private.email_outbox", mails: ["disk-low lasts", "thread-ended happened"] },
  ],
  "mails nothing as lasting that only an earlier process reported": [
    { reports: ["disk-low", "backup-late"], mails: ["backup-late lasts", "disk-low lasts"] },
    { after: "1 day", mails: [], calls: [] },
    { reports: ["backup-late"], mails: ["backup-late lasts", "disk-low ended"] },
    // A restart, which ends at once the states that the new process does not report.
    { after: "1 day", reports: ["backup-late"] },
    { restarts: true, mails: [] },
    { reports: [], mails: ["backup-late ended"] },
  ],
  "withdraws the mail about a lasting state that was not delivered before a restart": [
    { reports: ["disk-low"], waits: ["disk-low lasts"] },
    { restarts: true, reports: ["disk-low"], mails: ["disk-low lasts"] },
    { after: "25 hours", reports: ["disk-low"], waits: ["disk-low lasts"] },
    // The firm got the first mail.
    { restarts: true, reports: [], mails: ["disk-low ended"] },
  ],
  "calls once for each state, its end and each event, also while no mail is delivered": [
    { reports: ["disk-low", "thread-ended"], waits: ["disk-low lasts", "thread-ended happened"] },
    { calls: ["disk-low lasts", "thread-ended happened"] },
    { after: "2 days", restarts: true, reports: ["disk-low"], calls: [] },
    {
      after: "31 minutes",
      reports: ["backup-late"],
      calls: ["backup-late lasts", "disk-low ended", "mail-waits lasts"],
    },
    // It flaps.
    { reports: ["disk-low"], calls: ["disk-low lasts"] },
    { after: "31 minutes", reports: [] },
    { reports: ["disk-low"], calls: ["backup-late ended"] },
  ],
  "repeats failed calls after a minute, together, and those of a day about what has ended since": [
    { reports: ["disk-low"], fails: ["disk-low lasts"] },
    { after: "50 seconds", reports: ["backup-late"], fails: [] },
    { after: "20 seconds", fails: ["backup-late lasts", "disk-low lasts+"] },
    { after: "31 minutes", reports: ["backup-late"], calls: ["backup-late lasts+", "disk-low ended+"] },
    { calls: [] },
    { reports: ["copy-late"], fails: ["copy-late lasts"] },
    { after: "31 minutes", reports: ["backup-late"] },
    { after: "25 hours", reports: ["backup-late"], calls: [] },
  ],
  "calls and mails each once over a clock that jumps ahead a year, and back": [
    { reports: ["disk-low", "thread-ended", "backup-late"] },
    { mails: ["backup-late lasts", "disk-low lasts", "thread-ended happened"] },
    { calls: ["backup-late lasts", "disk-low lasts", "thread-ended happened"] },
    { after: "31 minutes", reports: ["backup-late"], mails: ["disk-low ended"], calls: ["disk-low ended"] },
    { after: "-1 year", sql: correctTimes, reports: ["backup-late"], mails: [], calls: [] },
    { after: "31 minutes", reports: [], mails: ["backup-late ended"], calls: ["backup-late ended"] },
  ],
  "calls an hour and ten minutes after a mail server stops taking mail, and when it takes mail": [
    { sql: queueMail },
    { after: "61 minutes", calls: [] },
    { after: "10 minutes", mails: [], calls: ["mail-waits lasts"] },
    { restarts: true, calls: [] },
    { sql: deliver, mails: ["mail-waits ended"], calls: ["mail-waits ended"] },
  ],
  "finds by itself that mail waits, and mails that when the server takes mail": [
    { sql: `${queueMail}; ${queueMail}` },
    { after: "59 minutes", mails: [] },
    { after: "1 minute", mails: [] },
    { after: "3 hours", mails: [] },
    // Another mail was delivered: the server takes mail.
    {
      sql: `${deliver} where id = (select id from private.email_outbox limit 1)`,
      mails: ["mail-waits lasts"],
    },
    { sql: deliver, mails: ["mail-waits ended"] },
  ],
  "does not mail the end of a brief outage of mail": [
    { sql: queueMail },
    { after: "61 minutes", mails: [] },
    { after: "9 minutes", sql: deliver, mails: [] },
  ],
  "finds by itself that retention is late, after ten minutes": [
    { mails: [] },
    { sql: addRun("3 days", "{}") },
    { sql: addRun("0 days", '{"mails_refused": 1}'), mails: [] },
    { after: "11 minutes", mails: ["retention-late lasts"] },
    { sql: "update private.retention_runs set counts = '{}'", mails: ["retention-late ended"] },
  ],
  "finds by itself that retention waits, after ten minutes": [
    { sql: "insert into private.retention_clock (seen_at) values (now() - interval '20 days')", mails: [] },
    { after: "11 minutes", mails: ["retention-waits lasts"] },
    { sql: `delete from private.retention_clock; ${addRun("0 days", "{}")}`, mails: ["retention-waits ended"] },
  ],
};

eachBackend("the site with trouble", (backend) => {
  const admin = useAdmin(backend);

  beforeEach(() =>
    backend.exec(`delete from private.troubles; delete from private.email_outbox; delete from private.retention_runs;
      delete from private.retention_clock`),
  );

  const report = (...causes: string[]) => call(backend.service, "report_trouble", { causes });

  async function listDue(): Promise<string[]> {
    const due: Due[] = await call(backend.service, "list_due_trouble_mails");
    return due.map(({ cause, notice }) => `${cause} ${notice}`);
  }

  /** Queues every due mail as deliver-outbox does, and returns them. */
  async function queueDue(): Promise<string[]> {
    const due = await listDue();
    for (const [cause, notice] of due.map((each) => each.split(" "))) {
      const mail = { subject: "S", body: "B" };
      expect(await call(backend.service, "queue_trouble_mail", { cause, notice, mail })).toBe(true);
    }
    return due;
  }

  /** Claims the due calls of TROUBLE_URL as deliver-outbox does, and returns them. */
  async function callDue(isAccepted: boolean): Promise<string[]> {
    await listDue();
    const due: Due[] = await call(backend.service, "claim_trouble_calls");
    for (const { cause, notice } of isAccepted ? due : [])
      expect(await call(backend.service, "settle_trouble_call", { cause, notice })).toBeNull();
    return due.map(({ cause, notice, is_repeated }) => `${cause} ${notice}${is_repeated ? "+" : ""}`);
  }

  /** Moves everything that is stored about trouble and mail into the past. */
  function pass(time: string) {
    const before = (columns: string[]) => columns.map((column) => `${column} = ${column} - interval '${time}'`).join();
    const ofTroubles = ["since", "seen_at", "ended_at", "mailed_at", "hook_called_at", "hook_tried_at"];
    return backend.exec(`update private.troubles set ${before(ofTroubles)};
      update private.email_outbox set ${before(["created_at", "delivered_at"])}`);
  }

  it.each(Object.entries(stories))("%s", async (_, moments) => {
    for (const moment of moments) {
      const { after, sql, restarts, reports, mails, waits, calls, fails } = moment;
      const seen = { ...moment };
      if (after) await pass(after);
      if (sql) await backend.exec(sql);
      if (restarts) await backend.exec("select private.forget_trouble_reports()");
      if (reports) await report(...reports);
      if (waits) seen.waits = await queueDue();
      if (mails) seen.mails = await queueDue();
      if (mails) await backend.exec("delete from private.email_outbox where kind = 'trouble'");
      if (calls) seen.calls = await callDue(true);
      if (fails) seen.fails = await callDue(false);
      expect(seen).toEqual(moment);
    }
  });

  it("queues a mail once when two workers run", async () => {
    await report("disk-low");
    const queue = { cause: "disk-low", notice: "lasts", mail: { subject: "S", body: "B" } };
    const queued = await Promise.all([1, 2].map(() => call(backend.service, "queue_trouble_mail", queue)));
    expect(queued.toSorted()).toEqual([false, true]);
    expect(await listMails(backend)).toMatchObject([{ kind: "trouble", recipient: null }]);
  });

  it("rejects unknown causes, and those that the database finds", async () => {
    expect([await report("jane@doe.example"), await report("mail-waits")]).toEqual(["23514", "22023"]);
  });

  const readShown = async () =>
    (await admin.call("read_inbox")).troubles.map(({ cause }: { cause: string }) => cause).toSorted();
  it("shows admins what lasts, and events for a day", async () => {
    await report("disk-low", "process-ended");
    expect(await readShown()).toEqual(["disk-low", "process-ended"]);
    await pass("25 hours");
    // A day without a report: the site was off.
    expect(await readShown()).toEqual([]);
    await report("disk-low");
    expect(await readShown()).toEqual(["disk-low"]);
    await pass("31 minutes");
    await report();
    expect(await readShown()).toEqual([]);
  });
});
