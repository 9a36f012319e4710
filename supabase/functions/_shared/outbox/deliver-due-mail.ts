import type { SupabaseClient } from "@supabase/supabase-js";
import { BackendUnavailable, secretBackend } from "../host/backend.ts";
import type { ClaimedMail } from "./outbox.ts";
import { functionHost, logEvent } from "../host/runtime.ts";
import { attemptLimitMs, sendEmail, writesFiles } from "./send-email.ts";
import { type AttemptResult, createSettlement } from "./settle-together.ts";

/** Number of attempts of a run that succeeded and failed. */
export interface DeliveryReport {
  delivered: number;
  failed: number;
}

/**
 * Letters to the network, or all other mail. Each has its own run, so that other mail never waits for a letter under way.
 */
export type MailLane = "letters" | "others";

/**
 * Delivers due mail: claims, sends and settles until no mail is due or 20 seconds have passed. Concurrent calls in this
 * process share one run of each lane; leases separate it from runs in other processes.
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
  const run: Run = { isRepeatRequested: false, report: Promise.resolve({ delivered: 0, failed: 0 }) };
  run.report = deliverUntilNothingIsDue(run, lane).finally(() => runs.delete(host));
  runs.set(host, run);
  return run.report;
}

interface Run {
  /** Another run was requested during this one. Its mail may have been queued after the last claim. */
  isRepeatRequested: boolean;
  report: Promise<DeliveryReport>;
}

/** Key for a process that runs the functions of one project only. */
const platform = {};
const runsOf = { letters: new WeakMap<object, Run>(), others: new WeakMap<object, Run>() };
const maxRunMs = 20_000;
/**
 * Mails sent in parallel, so that one lease covers them all. Writing a file is faster than sending to a mail server.
 */
const batchSizes = { sent: 5, filed: 25 };
const leaseSeconds = attemptLimitMs / 1000 + 5;

async function deliverUntilNothingIsDue(run: Run, lane: MailLane): Promise<DeliveryReport> {
  const client = secretBackend();
  const settle = createSettlement(client);
  const report = { delivered: 0, failed: 0 };
  // Monotonic: if the system clock were set back, Date.now() would extend this run.
  const stopAt = performance.now() + maxRunMs;
  while (performance.now() < stopAt) {
    run.isRepeatRequested = false;
    const due = await claimDueMail(client, lane);
    const outcomes = await deliverBatch(settle, due);
    for (const isSent of outcomes) report[isSent ? "delivered" : "failed"] += 1;
    if (due.length === 0 && !run.isRepeatRequested) break;
  }
  return report;
}

async function claimDueMail(client: SupabaseClient, lane: MailLane): Promise<ClaimedMail[]> {
  const { data, error } = await client.rpc("claim_due_mail", {
    batch_size: batchSizes[writesFiles() ? "filed" : "sent"],
    lease_seconds: leaseSeconds,
    letters: lane === "letters",
  });
  if (error) throw new BackendUnavailable(error.code || "unreachable");
  return data as ClaimedMail[];
}

/**
 * Sends a batch. Mails that a mailbox refused are settled last, so that the database knows if the server accepted others
 * or refuses everybody.
 * @returns for each mail whether it was sent or written to its file
 */
async function deliverBatch(settle: ReturnType<typeof createSettlement>, due: ClaimedMail[]): Promise<boolean[]> {
  const sent: Promise<unknown>[] = [];
  return Promise.all(
    due.map(async (mail) => {
      const attempt = send(mail);
      sent.push(attempt);
      const result = await attempt;
      if (result.outcome === "rejected") await Promise.all(sent);
      await settle(result);
      return result.error_code === null;
    }),
  );
}

async function send(mail: ClaimedMail): Promise<AttemptResult> {
  // A mail that cannot be composed must not block the others; it is retried like any failure.
  const delivery = await sendEmail(mail).catch(() => ({ outcome: "retry", code: "failed" }) as const);
  const code = "code" in delivery ? delivery.code : null;
  const event = { event: `mail-${delivery.outcome}`, mail: mail.id, kind: mail.kind, attempt: mail.attempts, code };
  logEvent(code === null ? event : { ...event, level: "warn" });
  return { mail_id: mail.id, outcome: delivery.outcome, error_code: code };
}
