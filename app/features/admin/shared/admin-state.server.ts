import { z } from "zod";
import { type AdminAnswer, type AdminClient, callAdmin } from "./admin-call.server";

/** What an admin should know whichever list is open. */
export interface AdminState {
  /** mails that have been waiting for too long, and mails that were given up */
  lateMail: number;
  undeliverableMail: number;
  overdueRequests: number;
  lastRetention: { ranAt: string; counts: Record<string, number> } | null;
}

const outboxSchema = z
  .array(z.object({ waiting: z.number(), given_up: z.number(), oldest_waiting: z.string().nullable() }))
  .length(1);
const retentionSchema = z.array(z.object({ ran_at: z.string(), counts: z.record(z.string(), z.number()) })).max(1);
const requestCountsSchema = z.object({ overdue: z.number() });

/** Mail is late when the mail server has been refusing it for this long. */
const lateAfterMs = 10 * 60 * 1000;

/** Reads it with the rights of the signed-in admin. */
export async function readAdminState(client: AdminClient): Promise<AdminAnswer<AdminState>> {
  const [mail, retention, requests] = await Promise.all([
    callAdmin(client, "outbox_status", {}, outboxSchema),
    callAdmin(client, "last_retention_run", {}, retentionSchema),
    callAdmin(client, "count_requests", {}, requestCountsSchema),
  ]);
  if (!mail.ok) return mail;
  if (!retention.ok) return retention;
  if (!requests.ok) return requests;
  const [outbox] = mail.data;
  const [run] = retention.data;
  const isLate = outbox?.oldest_waiting != null && Date.parse(outbox.oldest_waiting) < Date.now() - lateAfterMs;
  return {
    ok: true,
    data: {
      lateMail: isLate ? outbox.waiting : 0,
      undeliverableMail: outbox?.given_up ?? 0,
      overdueRequests: requests.data.overdue,
      lastRetention: run ? { ranAt: run.ran_at, counts: run.counts } : null,
    },
  };
}
