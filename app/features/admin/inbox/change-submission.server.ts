import { z } from "zod";
import type { MessageKey } from "~/content/messages";
import { searchTermSchema } from "../shared/search-term.server";
import { seenVersion } from "../shared/seen.server";
import { type AdminResult, type AdminClient, callAdmin } from "../shared/admin-call.server";

/** Validates the forms of one message. */
export const submissionChangeSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("mark"),
    id: z.uuid(),
    state: z.enum(["new", "in_progress", "done", "spam"]),
    seen: seenVersion,
  }),
  z.object({ intent: z.literal("restore"), id: z.uuid(), seen: seenVersion }),
  z.object({ intent: z.literal("undo"), id: z.uuid(), seen: seenVersion }),
  z.object({ intent: z.literal("delete"), id: z.uuid(), seen: seenVersion }),
]);

/** Validates the forms of the message list. */
export const inboxFormSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("search"), search: searchTermSchema }),
  z.object({ intent: z.literal("deleteSpam"), ids: z.array(z.uuid()).min(1).max(100) }),
  ...submissionChangeSchema.options,
]);

/** A change to one message. */
export type SubmissionChange = z.output<typeof submissionChangeSchema>;

/** Changes one message with the rights of the signed-in admin. The database logs the admin. */
export async function changeSubmission(
  client: AdminClient,
  change: SubmissionChange,
): Promise<AdminResult<MessageKey>> {
  const [name, parameters, message] = toDatabaseCall(change);
  const result = await callAdmin(client, name, parameters, z.unknown(), {}, change.seen);
  return result.ok ? { ok: true, data: message } : result;
}

/** Deletes the spam that a page showed. Messages that are no longer spam stay, and the message says so. */
export async function deleteSpam(client: AdminClient, ids: readonly string[]): Promise<AdminResult<MessageKey>> {
  const result = await callAdmin(client, "delete_spam", { submission_ids: ids }, z.int());
  if (!result.ok) return result;
  return { ok: true, data: result.data === ids.length ? "spamDeleted" : "spamPartlyDeleted" };
}

function toDatabaseCall(change: SubmissionChange): [string, Record<string, string>, MessageKey] {
  switch (change.intent) {
    case "mark":
      return ["set_submission_state", { submission_id: change.id, state: change.state }, "submissionMarked"];
    case "restore":
      return ["restore_submission", { submission_id: change.id }, "submissionRestored"];
    case "undo":
      return ["undo_submission_change", { submission_id: change.id }, "submissionUndone"];
    case "delete":
      return ["delete_submission", { submission_id: change.id }, "submissionDeleted"];
  }
}
