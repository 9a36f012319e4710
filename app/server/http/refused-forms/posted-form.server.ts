import { parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";

/** A form whose page with mistakes can be made from memory. */
export interface RefusableForm {
  path: string;
  /** the rules that its action applies */
  schema: z.ZodType;
  /** fields that hold text: what stands in them changes nothing else of the page */
  typed: readonly string[];
  /** fields that hold one of a few values: the page is another one for each */
  chosen: Readonly<Record<string, readonly string[]>>;
}

/** What a form came with; fields that are empty are left out, as the form library leaves them out. */
export interface Post {
  typed: ReadonlyMap<string, string>;
  chosen: ReadonlyMap<string, string>;
}

/** @returns null for anything that the form's page does not send by itself */
export function readPost(form: RefusableForm, body: Buffer): Post | null {
  const typed = new Map<string, string>();
  const chosen = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body.toString())) {
    if (value === "") continue;
    const fields = form.typed.includes(name) ? typed : optionsOf(form, name).includes(value) ? chosen : null;
    if (fields === null || fields.has(name)) return null;
    fields.set(name, value);
  }
  return { typed, chosen };
}

/** A stranger can send any name, and every object has a `constructor`. */
function optionsOf({ chosen }: RefusableForm, name: string): readonly string[] {
  return Object.hasOwn(chosen, name) ? (chosen[name] ?? []) : [];
}

/** Both, as they are posted. */
export const fieldsOf = ({ typed, chosen }: Post): URLSearchParams => new URLSearchParams([...typed, ...chosen]);

/** @returns everything that the page shows beside the texts themselves, as a key; empty when there is no mistake */
export function judge({ schema, typed, chosen }: RefusableForm, post: Post): string {
  const submission = parseWithZod(fieldsOf(post), { schema });
  if (submission.status === "success") return "";
  const shown = [...typed, ...Object.keys(chosen)].map((name) => [
    post.chosen.get(name) ?? post.typed.has(name),
    submission.error?.[name] ?? null,
  ]);
  return JSON.stringify([shown, submission.error?.[""] ?? null]);
}
