import { z } from "zod";
import { line, optionalLine, optionalParagraphs, paragraphs } from "#supabase/functions/_shared/form-text";
import { networkFields, networkKinds } from "#supabase/functions/_shared/network-fields";
import { parseForm } from "~/server/forms/parse-form.server";
import { type AdminClient, type AdminRefusal, callAdmin } from "../../shared/admin-call.server";
import { changedSinceShown, seenVersion } from "../../shared/seen.server";
import { letterLimits, letterStates, maxNames } from "./letter-limits";
import { type Letter, findLetter } from "./letters.server";

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
    subject: optionalLine("the subject", letterLimits.subject),
    body: optionalParagraphs("the text", letterLimits.body).check(namesFit),
    toStates: states,
    ...choice,
  }),
  z.object({
    intent: z.literal("check"),
    subject: line("the subject", letterLimits.subject),
    body: paragraphs("the text", letterLimits.body).check(namesFit),
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
  /** reason why it was not saved, other than mistakes */
  failure: string | null;
  /** the letter as it is stored, if someone changed or sent it meanwhile */
  stored: Letter | null;
  /** true if someone deleted it meanwhile, so that it can only be saved as a new one */
  isGone: boolean;
}

/** Result of saving a draft. */
export type SaveOutcome = { next: "save" | "check" } | { refused: RefusedDraft; status: number };

/** Text of a refusal because a colleague, or another tab, changed the draft. */
export const draftChanged =
  "This letter was changed while the page was open, so nothing was saved. The stored version is above yours. To replace it with yours, press the button again.";
const draftSent =
  "This letter has been sent meanwhile, so nothing was saved. Your text is below: copy it if you still need it.";
const draftGone =
  "This letter has been deleted meanwhile, so nothing was saved. Your text is still here. To save it as a new letter, press the button again.";

/**
 * Saves a draft with the rights of the signed-in admin.
 * @param isNew true for a letter that was never saved
 */
export async function saveDraft(client: AdminClient, id: string, isNew: boolean, form: FormData): Promise<SaveOutcome> {
  const submission = parseForm(form, draftSchema);
  if (submission.status !== "success") {
    const mistakes = Object.fromEntries(
      Object.entries(submission.error ?? {}).flatMap(([name, texts]) => (texts?.[0] ? [[name, texts[0]]] : [])),
    );
    return { refused: keepDraft(form, { mistakes }), status: 400 };
  }
  const { intent, subject, body, toStates, toKind, toField, seen } = submission.value;
  const failures = {
    [changedSinceShown]: { status: 409, text: draftChanged },
    "55000": { status: 409, text: draftSent },
    P0002: { status: 409, text: draftGone },
  };
  const result = await callAdmin(
    client,
    "save_letter",
    {
      letter_id: id,
      subject,
      body,
      to_states: toStates,
      to_kind: toKind,
      to_field: toField,
      seen_version: isNew || seen === undefined ? null : Number(seen),
    },
    z.unknown(),
    failures,
  );
  return result.ok ? { next: intent } : refuse(client, id, form, result);
}

async function refuse(
  client: AdminClient,
  id: string,
  form: FormData,
  { status, text }: AdminRefusal,
): Promise<SaveOutcome> {
  const found = text === draftChanged || text === draftSent ? await findLetter(client, id) : null;
  const stored = found?.ok ? found.data : null;
  return { refused: keepDraft(form, { failure: text, stored, isGone: text === draftGone }), status };
}

/** Keeps everything that was typed and chosen, for the form of a draft that was not saved. */
export function keepDraft(form: FormData, why: Partial<RefusedDraft>): RefusedDraft {
  const typed = (name: string) => String(form.get(name) ?? "").replaceAll("\r\n", "\n");
  return {
    subject: typed("subject"),
    body: typed("body"),
    toStates: form.getAll("toStates").map(String),
    toKind: typed("toKind"),
    toField: typed("toField"),
    seen: seenVersion.safeParse(form.get("seen") ?? undefined).data,
    mistakes: {},
    failure: null,
    stored: null,
    isGone: false,
    ...why,
  };
}

function isState(value: string): boolean {
  return letterStates.some((state) => state === value);
}
