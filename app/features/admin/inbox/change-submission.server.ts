import { z } from "zod";
import type { MessageKey } from "~/content/messages";
import { searchTermSchema } from "../shared/search-term.server";
import { seenVersion } from "../shared/seen.server";
import { type AdminResult, type AdminClient, callAdmin } from "../shared/admin-call.server";

/** Database function and message of each button of a message. */
const verbs = {
  mark: ["set_submission_state", "submissionMarked"],
  restore: ["restore_submission", "submissionRestored"],
  undo: ["undo_submission_change", "submissionUndone"],
  delete: ["delete_submission", "submissionDeleted"],
} as const;

/** Validates the forms of one message. The database checks that a form which marks it names a state. */
export const submissionChangeSchema = z.object({
  intent: z.enum(Object.keys(verbs) as (keyof typeof verbs)[]),
  id: z.uuid(),
  state: z.enum(["new", "in_progress", "done", "spam"]).optional(),
  seen: seenVersion,
});

/** Validates the forms of the message list. */
export const inboxFormSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("search"), search: searchTermSchema }),
  z.object({ intent: z.literal("deleteSpam"), ids: z.array(z.uuid()).min(1) }),
  submissionChangeSchema,
]);

/** A change to one message. */
export type SubmissionChange = z.output<typeof submissionChangeSchema>;

/** Changes one message with the rights of the signed-in admin. The database logs the admin. */
export async function changeSubmission(
  client: AdminClient,
  { intent, id, state, seen }: SubmissionChange,
): Promise<AdminResult<MessageKey>> {
  const [name, message] = verbs[intent];
  const parameters = { submission_id: id, ...(intent === "mark" ? { state: state ?? null } : {}) };
  const result = await callAdmin(client, name, parameters, z.unknown(), {}, seen);
  return result.ok ? { ok: true, data: message } : result;
}

/** Deletes the spam that a page showed. Messages that are no longer spam stay, and the message says so. */
export async function deleteSpam(client: AdminClient, ids: readonly string[]): Promise<AdminResult<MessageKey>> {
  const result = await callAdmin(client, "delete_spam", { submission_ids: ids }, z.int());
  if (!result.ok) return result;
  return { ok: true, data: result.data === ids.length ? "spamDeleted" : "spamPartlyDeleted" };
}
