import { parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";
import { keptCharacters } from "#supabase/functions/_shared/form-text";
import { firstCharacters } from "~/lib/characters";

/**
 * Validates a posted form. Cuts a text that its schema refused unread (see `boundedText`) to the part that its message
 * promises, and empties a choice that is not on its list: in the form and in the submission, so that no response repeats
 * all of it.
 */
export function parseForm<Schema extends z.ZodType>(form: FormData, schema: Schema) {
  const submission = parseWithZod(form, {
    schema,
    formatError: (issues: z.core.$ZodIssue[]) => {
      keepFirstParts(form, issues);
      return issues.map(({ message }) => message);
    },
  });
  for (const [name, value] of Object.entries(submission.payload))
    if (typeof value === "string") submission.payload[name] = form.get(name) ?? value;
  return submission;
}

/** Validates a posted form as {@link parseForm} does, for actions that return its texts themselves. */
export function parseFields<Schema extends z.ZodType>(form: FormData, schema: Schema) {
  const parsed = schema.safeParse(Object.fromEntries(form));
  if (!parsed.success) keepFirstParts(form, parsed.error.issues);
  return parsed;
}

function keepFirstParts(form: FormData, issues: readonly z.core.$ZodIssue[]): void {
  for (const issue of issues) {
    const name = String(issue.path[0]);
    const text = form.get(name);
    const kept = countKept(issue);
    if (kept !== null && typeof text === "string") form.set(name, firstCharacters(text, kept));
  }
}

/** Returns how many characters of a refused text its form keeps; null for all of them. */
function countKept(issue: z.core.$ZodIssue): number | null {
  // No control can show a value that is not among its choices.
  if (issue.code === "invalid_value") return 0;
  const kept: unknown = issue.code === "custom" ? issue.params?.[keptCharacters] : null;
  return typeof kept === "number" ? kept : null;
}
