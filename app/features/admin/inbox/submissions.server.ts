import { z } from "zod";
import { type ContactFieldName, contactFieldList } from "#supabase/functions/_shared/contact-fields";
import { type AdminClient, callAdmin } from "../shared/admin-call.server";
import type { SubmissionFilter } from "../shared/filters";

/** A message as the database gives it to an admin. */
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
  /** the link in a mail said that it is answered, and no admin has looked at that since */
  marked_by_link_at: z.string().nullable(),
  /** goes up with each change */
  version: z.int(),
  state: z.enum(["new", "in_progress", "done", "spam"]),
});

/** One message as the admin reads it (REQUIREMENTS 3.4, plus how far the firm is with it and why it was held back). */
export type Submission = z.output<typeof submissionSchema>;

/** A page of a list: `previous` and `next` are cursors, null where nothing follows. */
export const pageSchema = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), previous: z.string().nullable(), next: z.string().nullable() });

/** A page of messages. */
export const submissionPageSchema = pageSchema(submissionSchema);

/**
 * Reads all messages of a list in batches of a thousand; the database logs who exported them.
 * @throws Error when a piece cannot be read: the reader must not take a part for the whole
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
  const piece = await callAdmin(client, "export_submissions", parameters, submissionPageSchema);
  if (!piece.ok) throw new Error("A piece of the list could not be read.");
  return piece.data;
}
