import { z } from "zod";
import { type ContactFieldName, contactFieldList } from "#supabase/functions/_shared/contact-fields";
import { type AdminClient, callAdmin } from "../shared/admin-call.server";
import type { SubmissionFilter } from "../shared/filters";

/** A message, as the database returns it to an admin. */
export const submissionSchema = z.object({
  ...(Object.fromEntries(contactFieldList.map(([name]) => [name, z.string()])) as Record<
    ContactFieldName,
    z.ZodString
  >),
  id: z.string(),
  created_at: z.string(),
  ip_address: z.string().nullable(),
  quarantine_reason: z.string().nullable(),
  answer_due_at: z.string(),
  answered_at: z.string().nullable(),
  /** set while an email link has marked the message as answered and no admin has checked that */
  marked_by_link_at: z.string().nullable(),
  /** set while the reply counts as not delivered */
  undelivered_at: z.string().nullable().default(null),
  /** why it was not delivered, a code of the outbox */
  refusal: z.string().nullable().default(null),
  /** member of the investor network with the sender's address */
  member_id: z.string().nullable().default(null),
  /** increases with each change */
  version: z.int(),
  state: z.enum(["new", "in_progress", "done", "spam"]),
});

/** One message for the admin (REQUIREMENTS 3.4, plus its state and why it was held back). */
export type Submission = z.output<typeof submissionSchema>;

/** Schema of a list page. `previous` and `next` are cursors, null at either end. */
export const pageSchema = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), previous: z.string().nullable(), next: z.string().nullable() });

/** A page of messages. */
export const submissionPageSchema = pageSchema(submissionSchema);

/**
 * Reads all messages of a list in batches of a thousand. The database logs the export and the admin.
 * @throws Error when a batch cannot be read, so that a partial file never looks complete
 */
export async function* readAllSubmissions(
  client: AdminClient,
  { filter, search }: { filter: SubmissionFilter; search: string | null },
): AsyncGenerator<Submission> {
  let cursor: string | null = null;
  do {
    const page = await readBatch(client, { folder: filter, search, page_cursor: cursor });
    yield* page.rows;
    cursor = page.next;
  } while (cursor !== null);
}

async function readBatch(client: AdminClient, parameters: Record<string, string | null>) {
  const batch = await callAdmin(client, "export_submissions", parameters, submissionPageSchema);
  if (!batch.ok) throw new Error("A batch of the list could not be read.");
  return batch.data;
}
