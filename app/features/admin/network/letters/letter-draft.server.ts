import { z } from "zod";
import { line, optionalLine, optionalParagraphs, paragraphs } from "#supabase/functions/_shared/form-text";
import { networkFields, networkKinds } from "#supabase/functions/_shared/network-fields";
import { parseForm } from "~/server/forms/parse-form.server";
import { type AdminClient, callAdmin } from "../../shared/admin-call.server";
import { changedSinceShown, seenVersion } from "../../shared/seen.server";
import { letterStates } from "../network-filters";
import { type Letter, findLetter } from "./letters.server";

/**
 * Most uses of `{name}` in a letter's text. A name has up to 100 characters, and the database takes mails of up to
 * 25,000 characters (private.require_mail): with more names, a long letter would reach some members and not others.
 */
const maxNames = 20;

/** Most characters. The database counts the same. */
const limits = { subject: 200, body: 20_000 };

const chooseState = "Choose at least one group of members";
const states = z
  .array(z.string())
  .refine((chosen) => chosen.every(isState), chooseState)
  .transform((chosen) => letterStates.filter((state) => chosen.includes(state)))
  .default([]);

const namesFit = z.refine<string>((body) => body.split("{name}").length - 1 <= maxNames, {
  error: `Use {name} at most ${maxNames} times in the text`,
});

const choice = {
  toKind: z.enum(networkKinds, "Choose a kind of investor from the list").nullable().default(null),
  toField: z.enum(networkFields, "Choose a field of interest from the list").nullable().default(null),
  seen: seenVersion,
};

/** Validates the form of a draft. A draft may be incomplete; a letter to check may not. */
const draftSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("save"),
    subject: optionalLine("the subject", limits.subject),
    body: optionalParagraphs("the text", limits.body).check(namesFit),
    toStates: states,
    ...choice,
  }),
  z.object({
    intent: z.literal("check"),
    subject: line("the subject", limits.subject),
    body: paragraphs("the text", limits.body).check(namesFit),
    toStates: states.refine((chosen) => chosen.length > 0, chooseState),
    ...choice,
  }),
]);

/** A draft as its form shows it after a refused post, with all input. */
export interface RefusedDraft {
  subject: string;
  body: string;
  toStates: string[];
  toKind: string;
  toField: string;
  /** version that the form was shown with */
  seen: string | undefined;
  mistakes: Partial<Record<"subject" | "body" | "toStates" | "toKind" | "toField", string>>;
  /** the letter as it is stored, if someone changed or sent it meanwhile */
  stored: Letter | null;
}

/** Result of saving a draft. */
export type SaveOutcome = { next: "save" | "check" } | { refused: RefusedDraft; failure?: string; status: number };

const draftChanged =
  "This letter was changed while the page was open, so nothing was saved. The stored version is above yours. To replace it with yours, press the button again.";
const draftSent =
  "This letter has been sent meanwhile, so nothing was saved. Your text is below: copy it if you still need it.";
const draftGone =
  "This letter has been deleted meanwhile, so nothing was saved. Your text is still here. To save it as a new letter, press the button again.";

/** Saves a draft with the rights of the signed-in admin. One that was shown in no version is new. */
export async function saveDraft(client: AdminClient, id: string, form: FormData): Promise<SaveOutcome> {
  const submission = parseForm(form, draftSchema);
  if (submission.status !== "success") {
    const mistakes = Object.fromEntries(
      Object.entries(submission.error ?? {}).flatMap(([name, texts]) => (texts?.[0] ? [[name, texts[0]]] : [])),
    );
    return { refused: keepDraft(form, { mistakes }), status: 400 };
  }
  const { intent, subject, body, toStates, toKind, toField, seen } = submission.value;
  const letter = { letter_id: id, subject, body, to_states: toStates, to_kind: toKind, to_field: toField };
  const result = await callAdmin(
    client,
    "save_letter",
    { ...letter, seen_version: seen === undefined ? null : Number(seen) },
    z.unknown(),
    {
      [changedSinceShown]: { status: 409, text: draftChanged },
      "55000": { status: 409, text: draftSent },
      P0002: { status: 409, text: draftGone },
    },
  );
  if (result.ok) return { next: intent };
  const { text: failure, status } = result;
  const found = failure === draftChanged || failure === draftSent ? await findLetter(client, id) : null;
  // The page of a deleted letter returns its form, which then saves a new one.
  if (failure === draftGone) form.delete("seen");
  return { refused: keepDraft(form, { stored: found?.ok ? found.data : null }), failure, status };
}

/** Keeps everything that was typed and chosen, for the form of a draft that was not saved. */
function keepDraft(form: FormData, why: Partial<RefusedDraft>): RefusedDraft {
  const typed = (name: string) => String(form.get(name) ?? "").replaceAll("\r\n", "\n");
  return {
    subject: typed("subject"),
    body: typed("body"),
    toStates: form.getAll("toStates").map(String),
    toKind: typed("toKind"),
    toField: typed("toField"),
    seen: seenVersion.safeParse(form.get("seen") ?? undefined).data,
    mistakes: {},
    stored: null,
    ...why,
  };
}

function isState(value: string): boolean {
  return letterStates.some((state) => state === value);
}
