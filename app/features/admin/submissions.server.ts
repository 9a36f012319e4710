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
  const [list, mail] = await Promise.all([
    supabase
      .from("contact_submissions")
      .select("*")
      .order("created_at", { ascending: false })
      .order("id", { ascending: false }),
    supabase.rpc("outbox_status"),
  ]);
  if (list.error) return { outcome: "failed", text: list.error.message };
  if (mail.error) return { outcome: "failed", text: mail.error.message };
  const all = z.array(submissionSchema).parse(list.data);
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
