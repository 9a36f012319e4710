import { z } from "zod";
import { networkFields, networkKinds } from "#supabase/functions/_shared/network-fields";
import type { LetterFooter } from "#supabase/functions/_shared/mails/letter-mail";
import { type AdminClient, type AdminResult, readAdmin } from "../../shared/admin-call.server";
import { letterStates } from "../network-filters";

const rowSchema = z.object({
  id: z.uuid(),
  subject: z.string(),
  state: z.enum(["draft", "sending", "sent", "stopped"]),
  saved_at: z.string(),
  sent_at: z.string().nullable(),
  /** name and address of the admin */
  sent_by: z.string().nullable(),
  /** members chosen when it was sent; null before */
  to_count: z.int().nullable(),
  /** mails handed to the mail server */
  delivered: z.int(),
  /** members whose mail is still to come */
  waiting: z.int(),
  /** members whose mailbox refused it */
  refused: z.int(),
  /** members to whom it could not be sent for five days */
  unsent: z.int(),
  /** members who may have it, because the connection was lost */
  perhaps: z.int(),
});

/** A letter in the list. */
export type LetterRow = z.output<typeof rowSchema>;

const letterSchema = rowSchema.extend({
  body: z.string(),
  to_states: z.array(z.enum(letterStates)),
  to_kind: z.enum(networkKinds).nullable(),
  to_field: z.enum(networkFields).nullable(),
  stopped_at: z.string().nullable(),
  stopped_by_restore: z.boolean(),
  /** true if the signed-in admin mailed themself this very subject and text, with the footer it would have now */
  is_tried: z.boolean(),
  /** increases with each change */
  version: z.int(),
});

/** A letter to the network. */
export type Letter = z.output<typeof letterSchema>;

/** Reads all letters: drafts first, then the newest. */
export function listLetters(client: AdminClient): Promise<AdminResult<LetterRow[]>> {
  return readAdmin(client, "list_letters", {}, z.array(rowSchema));
}

/**
 * Finds one letter; null if there is none.
 * @param footer for `is_tried`; defaults to the footer that was tried
 */
export function findLetter(
  client: AdminClient,
  id: string,
  footer?: LetterFooter,
): Promise<AdminResult<Letter | null>> {
  const parameters = { letter_id: id, footer: footer && JSON.stringify(footer) };
  return readAdmin(client, "find_letter", parameters, letterSchema.nullable());
}

const recipientsSchema = z.object({
  count: z.int(),
  /** names of ten of them, newest first */
  names: z.array(z.string()),
});

/** Members whom a letter would reach now. */
export type Recipients = z.output<typeof recipientsSchema>;

/** Counts the members whom a letter would reach now. */
export function countRecipients(client: AdminClient, letter: Letter): Promise<AdminResult<Recipients>> {
  const { to_states, to_kind, to_field } = letter;
  const chosen = {
    to_states: `{${to_states.join(",")}}`,
    to_kind: to_kind ?? undefined,
    to_field: to_field ?? undefined,
  };
  return readAdmin(client, "count_letter_recipients", chosen, recipientsSchema);
}
