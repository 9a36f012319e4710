import { withTimeout } from "../../../../app/lib/with-timeout.ts";
import { callBackend } from "../host/backend.ts";
import { functionHost, logEvent, runInBackground } from "../host/runtime.ts";
import { withSiteFacts } from "../host/site-facts.ts";
import { type MailLane, type Pace, countPlaces, createPace, slowDown } from "./mail-pace.ts";
import { mailTimes } from "./mail-times.ts";
import type { ClaimedMail } from "./outbox.ts";
import { reportRefusedAddresses } from "./refused-addresses.ts";
import { type Delivery, sendEmail, writesFiles } from "./send-email.ts";
import { type AttemptResult, createSettlement } from "./settle-together.ts";

/** Number of attempts of a run that succeeded and failed. */
export interface DeliveryReport {
  delivered: number;
  failed: number;
}

/**
 * Delivers due mail: claims, sends and settles until no mail is due or 20 seconds have passed. Sessions that take longer
 * go on in the background. Concurrent calls in this process share one run of each lane; leases separate it from runs in
 * other processes.
 * @throws BackendUnavailable when the outbox cannot be reached; claimed mail becomes due again when its lease expires
 */
export function deliverDueMail(lane: MailLane = "others"): Promise<DeliveryReport> {
  const host = functionHost() ?? platform;
  const runs = runsOf[lane];
  const current = runs.get(host);
  if (current) {
    current.isRepeatRequested = true;
    return current.report;
  }
  const pace = paceOf.get(host) ?? createPace();
  paceOf.set(host, pace);
  const run: Run = { lane, pace, isRepeatRequested: false, report: Promise.resolve({ delivered: 0, failed: 0 }) };
  run.report = withSiteFacts(() => deliverUntilNothingIsDue(run)).finally(() => runs.delete(host));
  runs.set(host, run);
  return run.report;
}

interface Run {
  lane: MailLane;
  pace: Pace;
  /** Another run was requested during this one. Its mail may have been queued after the last claim. */
  isRepeatRequested: boolean;
  report: Promise<DeliveryReport>;
}

/** Key for a process that runs the functions of one project only. */
const platform = {};
const runsOf = { letters: new WeakMap<object, Run>(), others: new WeakMap<object, Run>() };
const paceOf = new WeakMap<object, Pace>();
const maxRunMs = 20_000;

async function deliverUntilNothingIsDue(run: Run): Promise<DeliveryReport> {
  const { lane, pace } = run;
  const settle = createSettlement();
  const report = { delivered: 0, failed: 0 };
  const [held, open] = [pace.held[lane], pace.open[lane]];
  // Monotonic: if the system clock were set back, Date.now() would extend this run.
  const stopAt = performance.now() + maxRunMs;
  try {
    while (performance.now() < stopAt && !functionHost()?.stopping?.aborted) {
      run.isRepeatRequested = false;
      const pauseMs = pace.pausedUntil - performance.now();
      if (pauseMs > stopAt - performance.now()) break;
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const places = countPlaces(pace, lane, writesFiles());
      const due = places > 0 ? await claimDueMail(lane, places) : [];
      startSessions(due, pace, lane, settle, report);
      if (held.size > 0) await Promise.race(held);
      else if (due.length === 0 && !run.isRepeatRequested) break;
    }
    await Promise.all(held);
    return report;
  } finally {
    for (const session of open) runInBackground(session);
  }
}

function claimDueMail(lane: MailLane, places: number): Promise<ClaimedMail[]> {
  return callBackend("claim_due_mail", {
    batch_size: places,
    lease_seconds: Math.ceil(mailTimes().session / 1_000) + 60,
    letters: lane === "letters",
  });
}

/**
 * Starts a session for each mail. Mails that a mailbox refused are settled after those sent beside them, so that the
 * database knows if the server accepted others or refuses everybody.
 */
function startSessions(
  due: readonly ClaimedMail[],
  pace: Pace,
  lane: MailLane,
  settle: ReturnType<typeof createSettlement>,
  report: DeliveryReport,
): void {
  const { slow } = mailTimes();
  const attempts = due.map((mail) => send(mail, pace));
  const others = attempts.map((attempt) => withTimeout(attempt, slow, () => undefined));
  for (const attempt of attempts) {
    const session = (async () => {
      const result = await attempt;
      if (result.outcome === "rejected") await Promise.all(others);
      await settle(result);
      report[result.error_code === null ? "delivered" : "failed"] += 1;
    })();
    add(pace.open[lane], session);
    add(
      pace.held[lane],
      withTimeout(session, slow, () => undefined),
    );
  }
}

/** Adds a promise to a set until it settles. The run that waits for it handles its failure. */
function add(set: Set<Promise<unknown>>, work: Promise<unknown>): void {
  set.add(work);
  const remove = () => set.delete(work);
  work.then(remove, remove);
}

async function send(mail: ClaimedMail, pace: Pace): Promise<AttemptResult> {
  // A mail that cannot be composed must not block the others; it is retried like any failure.
  const delivery = await sendEmail(mail).catch((): Delivery => ({ outcome: "retry", code: "failed" }));
  const { outcome } = delivery;
  const failure = "code" in delivery ? delivery : null;
  const code = failure?.code ?? null;
  const event = { event: `mail-${outcome}`, mail: mail.id, kind: mail.kind, attempt: mail.attempts, code };
  logEvent(code === null ? event : { ...event, level: "warn" });
  if (outcome === "delivered") pace.pauseMs = 0;
  const waits = outcome === "busy" ? { wait_seconds: slowDown(pace, failure?.waitSeconds) } : {};
  const postponed = "refused" in delivery ? await reportRefusedAddresses(mail, delivery.refused ?? []) : [];
  return {
    mail_id: mail.id,
    outcome,
    error_code: failure === null ? null : [failure.code, failure.words].filter(Boolean).join(" "),
    ...waits,
    ...(postponed.length > 0 ? { postponed } : {}),
  };
}
