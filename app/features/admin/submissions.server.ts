import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";

const submissionSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  company: z.string(),
  stage: z.string(),
  goal: z.string(),
  message: z.string(),
  created_at: z.string(),
  ip_address: z.string().nullable(),
  quarantine_reason: z.string().nullable(),
});

/** One message as the admin reads it (spec section 3, plus why it was held back). */
export type Submission = z.output<typeof submissionSchema>;

const outboxSchema = z
  .array(z.object({ waiting: z.number(), given_up: z.number(), oldest_waiting: z.string().nullable() }))
  .length(1);

/** Everything the admin page shows; `failure` carries the provider's own words (spec section 8). */
export type Inbox =
  | {
      outcome: "loaded";
      submissions: Submission[];
      quarantined: Submission[];
      lateMail: number;
      undeliverableMail: number;
    }
  | { outcome: "failed"; text: string };

/** Mail is late when the mail server has been refusing it for this long. */
const lateAfterMs = 10 * 60 * 1000;

/**
 * Reads the inbox, newest first, with the rights of the signed-in admin.
 * The state of the mail is asked as well: should it be refused, the list would be empty for the same reason, and an
 * empty list must never mean "you may not see them".
 */
export async function loadInbox(supabase: SupabaseClient): Promise<Inbox> {
  const [list, mail] = await Promise.all([listSubmissions(supabase), supabase.rpc("outbox_status")]);
  if ("error" in list) return { outcome: "failed", text: list.error };
  if (mail.error) return { outcome: "failed", text: mail.error.message };
  const all = list.submissions;
  const [outbox] = outboxSchema.parse(mail.data);
  const isLate = outbox?.oldest_waiting != null && Date.parse(outbox.oldest_waiting) < Date.now() - lateAfterMs;
  return {
    outcome: "loaded",
    submissions: all.filter((submission) => submission.quarantine_reason === null),
    quarantined: all.filter((submission) => submission.quarantine_reason !== null),
    lateMail: isLate ? outbox.waiting : 0,
    undeliverableMail: outbox?.given_up ?? 0,
  };
}

/** PostgREST hands out no more rows than this at once, and says nothing of those that it leaves out. */
const mostRowsAtOnce = 1000;

/** Every submission, newest first: an admin must not miss one because there are many. */
async function listSubmissions(supabase: SupabaseClient): Promise<{ submissions: Submission[] } | { error: string }> {
  // By id, because a message that arrives in between moves the others one place on.
  const found = new Map<string, Submission>();
  for (let first = 0; ; first += mostRowsAtOnce) {
    const { data, error } = await supabase
      .from("contact_submissions")
      .select("*")
      .order("created_at", { ascending: false })
      .order("id", { ascending: false })
      .range(first, first + mostRowsAtOnce - 1);
    if (error) return { error: error.message };
    for (const submission of z.array(submissionSchema).parse(data)) found.set(submission.id, submission);
    if (data.length < mostRowsAtOnce) return { submissions: [...found.values()] };
  }
}
