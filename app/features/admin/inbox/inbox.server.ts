import { z } from "zod";
import { type AdminAnswer, type AdminClient, callAdmin } from "../shared/admin-call.server";
import { type SubmissionFilter, submissionFilters } from "../shared/filters";
import { type ListPlace, type Submission, submissionPageSchema } from "./submissions.server";

const inboxSchema = z.object({
  page: submissionPageSchema,
  counts: z.record(z.enum(submissionFilters), z.number()),
  mail: z.object({ waiting: z.number(), given_up: z.number(), oldest_waiting: z.string().nullable() }),
  retention: z.object({ ran_at: z.string(), counts: z.record(z.string(), z.number()) }).nullable(),
  overdue_requests: z.number(),
});

/** Everything the list of messages shows; `failed` carries the provider's own words (REQUIREMENTS 9.1). */
export type Inbox = ({ outcome: "loaded" } & LoadedInbox) | { outcome: "failed"; text: string };

/** A page of messages and what stands around it: `previous` and `next` are cursors, null where nothing follows. */
export interface LoadedInbox extends ListPlace {
  submissions: Submission[];
  previous: string | null;
  next: string | null;
  counts: Record<SubmissionFilter, number>;
  /** mails that have been waiting for too long, and mails that were given up */
  lateMail: number;
  undeliverableMail: number;
  overdueRequests: number;
  lastRetention: RetentionRun | null;
}

/** The last time that the limits on how long data is kept were carried out, with what went, by kind. */
export interface RetentionRun {
  ranAt: string;
  counts: Record<string, number>;
}

/** Mail is late when the mail server has been refusing it for this long. */
const lateAfterMs = 10 * 60 * 1000;

/** Reads 25 messages, newest first (REQUIREMENTS 8.1), with the rights of the signed-in admin. */
export async function loadInbox(client: AdminClient, place: ListPlace): Promise<Inbox> {
  const answer = await readInbox(client, place);
  if (!answer.ok) return { outcome: "failed", text: answer.providerText };
  const { page, counts, mail, retention, overdue_requests } = answer.data;
  const isLate = mail.oldest_waiting !== null && Date.parse(mail.oldest_waiting) < Date.now() - lateAfterMs;
  return {
    outcome: "loaded",
    ...place,
    submissions: page.rows,
    previous: page.previous,
    next: page.next,
    counts,
    lateMail: isLate ? mail.waiting : 0,
    undeliverableMail: mail.given_up,
    overdueRequests: overdue_requests,
    lastRetention: retention && { ranAt: retention.ran_at, counts: retention.counts },
  };
}

function readInbox(
  client: AdminClient,
  { filter, search, cursor }: ListPlace,
): Promise<AdminAnswer<z.output<typeof inboxSchema>>> {
  return callAdmin(client, "read_inbox", { folder: filter, search, page_cursor: cursor }, inboxSchema);
}
