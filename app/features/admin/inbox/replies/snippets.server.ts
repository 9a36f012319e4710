import { z } from "zod";
import { line, paragraphs } from "#supabase/functions/_shared/form-text";
import { type AdminResult, type AdminClient, callAdmin, readAdmin } from "../../shared/admin-call.server";
import { changedSinceShown, seenVersion } from "../../shared/seen.server";

const snippetsSchema = z.array(z.object({ id: z.uuid(), name: z.string(), body: z.string(), version: z.int() }));

/** A saved text for use in replies. */
export type Snippet = z.output<typeof snippetsSchema>[number];

/** Validates the forms of the page. A text without an id is new. The database counts the same characters. */
export const snippetFormSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("save"),
    id: z.uuid().optional(),
    name: line("the name", 80),
    body: paragraphs("the text", 5_000),
    seen: seenVersion,
  }),
  z.object({ intent: z.literal("delete"), id: z.uuid(), seen: seenVersion }),
]);

/** Lists all snippets by name. */
export function listSnippets(client: AdminClient): Promise<AdminResult<Snippet[]>> {
  return readAdmin(client, "list_reply_snippets", {}, snippetsSchema);
}

/** Reasons for refusing to save a text. */
export const snippetRefusals = {
  sameName: "Another text already has this name. Choose a different name",
  changed:
    "Someone changed this text while the page was open, so nothing was saved. Their version is above yours. To replace it with yours, press the button again.",
};

/** Adds, changes or deletes a snippet with the rights of the signed-in admin. */
export function changeSnippets(
  client: AdminClient,
  change: z.output<typeof snippetFormSchema>,
): Promise<AdminResult<unknown>> {
  if (change.intent === "delete") {
    return callAdmin(client, "delete_reply_snippet", { snippet_id: change.id }, z.unknown(), {}, change.seen);
  }
  const { id = null, name, body } = change;
  const failures = {
    "23505": { status: 409, text: snippetRefusals.sameName },
    [changedSinceShown]: { status: 409, text: snippetRefusals.changed },
  };
  return callAdmin(client, "save_reply_snippet", { snippet_id: id, name, body }, z.unknown(), failures, change.seen);
}
