import { z } from "zod";
import { troubleCauses } from "#supabase/functions/_shared/trouble";
import { type AdminClient, readList } from "../shared/admin-call.server";
import { type TimeLeft, timeLeft } from "~/lib/time-left";
import { type SubmissionFilter, submissionFilters } from "../shared/filters";
import type { ListQuery } from "../shared/list-query.server";
import type { InboxHealth } from "./site-notices.server";
import { type Submission, submissionPageSchema, submissionSchema } from "./submissions.server";

const inboxSchema = z.object({
  page: submissionPageSchema,
  counts: z.object(
    Object.fromEntries(submissionFilters.map((name) => [name, z.number()])) as Record<SubmissionFilter, z.ZodNumber>,
  ),
  mail: z.object({ waiting: z.number(), given_up: z.number(), oldest_waiting: z.string().nullable() }),
  retention: z.object({ ran_at: z.string(), counts: z.record(z.string(), z.number()) }).nullable(),
  retention_waits: z.boolean(),
  since: z.string(),
  overdue_requests: z.number(),
  troubles: z.array(z.object({ cause: z.enum(troubleCauses), since: z.string() })),
  marked_by_link: z.array(submissionSchema),
});

/** A message with the time left to answer it; null if it needs no answer. */
export type InboxRow = Submission & { timeLeft: TimeLeft | null };

/** Mail counts as late after waiting this long. */
const lateAfterMs = 10 * 60 * 1000;

/** Retention runs once a day. */
const retentionLateAfterMs = 48 * 60 * 60 * 1000;

/**
 * Reads 25 messages (REQUIREMENTS 8.1) with the rights of the signed-in admin. Also logs late mail and retention: on a
 * hosted project only an admin may read them, so this is where the operator's log gets them.
 * @returns the page with counts and health, or the provider's own message (REQUIREMENTS 9.1). `markedByLink` are the
 *   newest 25 messages that an email link marked as answered and no admin has checked yet
 * @param startsRetention true if this site has the embedded backend and so runs retention itself, soon after its own
 *   start: then it may not have run yet
 */
export async function loadInbox(client: AdminClient, place: ListQuery<SubmissionFilter>, startsRetention: boolean) {
  const loaded = await readList(client, "read_inbox", place, inboxSchema);
  if (!loaded.ok) return { outcome: "failed" as const, text: loaded.providerText };
  const { page, counts, mail, retention, retention_waits, since, overdue_requests, troubles } = loaded.data;
  const isLate = mail.oldest_waiting !== null && Date.parse(mail.oldest_waiting) < Date.now() - lateAfterMs;
  const isRetentionLate =
    !retention_waits && isRetentionOverdue({ lastRun: retention?.ran_at ?? null, since, startsRetention }, Date.now());
  if (isLate) client.log.error({ event: "mail.late", waiting: mail.waiting });
  if (isRetentionLate) client.log.error({ event: "retention.late", lastRun: retention?.ran_at ?? null });
  if (retention_waits) client.log.error({ event: "retention.waits", lastRun: retention?.ran_at ?? null });
  return {
    outcome: "loaded" as const,
    ...place,
    submissions: page.rows.map(withTimeLeft),
    unreadable: client.unreadable,
    previous: page.previous,
    next: page.next,
    counts,
    markedByLink: loaded.data.marked_by_link,
    overdueRequests: overdue_requests,
    health: {
      lateMail: isLate ? mail.waiting : 0,
      undeliverableMail: mail.given_up,
      isRetentionLate,
      doesRetentionWait: retention_waits,
      troubles,
    } satisfies InboxHealth,
    lastRetention: retention && { ranAt: retention.ran_at, counts: retention.counts },
  };
}

/** A page of messages with counts and health. */
export type LoadedInbox = Extract<Awaited<ReturnType<typeof loadInbox>>, { outcome: "loaded" }>;

/** The last retention run, with the number of deletions by kind. */
export type RetentionRun = NonNullable<LoadedInbox["lastRetention"]>;

/**
 * Returns true if retention has not run for two days. Where it never ran, the days count from the first admin: a
 * project's timer may run for the first time tomorrow.
 */
export function isRetentionOverdue(
  { lastRun, since, startsRetention }: { lastRun: string | null; since: string; startsRetention: boolean },
  now: number,
): boolean {
  if (lastRun === null && startsRetention) return false;
  return Date.parse(lastRun ?? since) < now - retentionLateAfterMs;
}

/** Adds the time left to answer a message. */
export function withTimeLeft(submission: Submission): InboxRow {
  const { state, quarantine_reason, answer_due_at } = submission;
  const isWaiting = quarantine_reason === null && (state === "new" || state === "in_progress");
  return { ...submission, timeLeft: isWaiting ? timeLeft(answer_due_at, Date.now()) : null };
}
