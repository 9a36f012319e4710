import type { SupabaseClient } from "@supabase/supabase-js";
import { BackendUnavailable, secretBackend } from "../host/backend.ts";
import type { ClaimedMail } from "./outbox.ts";
import { functionHost, logEvent } from "../host/runtime.ts";
import { attemptLimitMs, sendEmail, writesFiles } from "./send-email.ts";
import { createSettlement } from "./settle-together.ts";

/** How many attempts of a run succeeded and how many did not. */
export interface DeliveryReport {
  delivered: number;
  failed: number;
}

/**
 * Sends what is due: claim, send, settle, until nothing is due or 20 seconds have passed. Runs may overlap, in this
 * process or another: in this one they are joined, elsewhere the leases keep them apart.
 * @throws BackendUnavailable when the outbox cannot be reached; what was claimed comes back when its lease ends
 */
export function deliverDueMail(): Promise<DeliveryReport> {
  const host = functionHost() ?? platform;
  const current = runs.get(host);
  if (current) {
    current.again = true;
    return current.report;
  }
  const run: Run = { again: false, report: Promise.resolve({ delivered: 0, failed: 0 }) };
  run.report = deliverUntilNothingIsDue(run).finally(() => runs.delete(host));
  runs.set(host, run);
  return run.report;
}

interface Run {
  /** Another run was requested during this one: its mail may have been queued after the last claim. */
  again: boolean;
  report: Promise<DeliveryReport>;
}

/** Stands for a process that runs functions for one project only. */
const platform = {};
const runs = new WeakMap<object, Run>();
const maxRunMs = 20_000;
/** Sent side by side, so that one lease covers them all; files are written faster than servers take mail. */
const batchSizes = { sent: 5, filed: 25 };
const leaseSeconds = attemptLimitMs / 1000 + 5;

async function deliverUntilNothingIsDue(run: Run): Promise<DeliveryReport> {
  const client = secretBackend();
  const settle = createSettlement(client);
  const report = { delivered: 0, failed: 0 };
  // Not the clock of the machine: set back, it would keep this run going.
  const stopAt = performance.now() + maxRunMs;
  while (performance.now() < stopAt) {
    run.again = false;
    const due = await claimDueMail(client);
    const outcomes = await Promise.all(due.map((mail) => deliver(settle, mail)));
    for (const isSent of outcomes) report[isSent ? "delivered" : "failed"] += 1;
    if (due.length === 0 && !run.again) break;
  }
  return report;
}

async function claimDueMail(client: SupabaseClient): Promise<ClaimedMail[]> {
  const { data, error } = await client.rpc("claim_due_mail", {
    batch_size: batchSizes[writesFiles() ? "filed" : "sent"],
    lease_seconds: leaseSeconds,
  });
  if (error) throw new BackendUnavailable(error.code || "unreachable");
  return data as ClaimedMail[];
}

/** @returns whether the mail is sent, or written to its file */
async function deliver(settle: ReturnType<typeof createSettlement>, mail: ClaimedMail): Promise<boolean> {
  // What cannot even be written must not stop the others; it is tried again like any other.
  const delivery = await sendEmail(mail).catch(() => ({ outcome: "retry", code: "failed" }) as const);
  const code = "code" in delivery ? delivery.code : null;
  logEvent({ event: `mail-${delivery.outcome}`, mail: mail.id, kind: mail.kind, attempt: mail.attempts, code });
  await settle({ mail_id: mail.id, outcome: delivery.outcome, error_code: code });
  return code === null;
}
