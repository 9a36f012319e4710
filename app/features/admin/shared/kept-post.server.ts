import type { KeptPost } from "./kept-post";

/** Text for an admin whose text belongs to something that a colleague deleted. */
export const goneFailure =
  "It no longer exists. Someone may have deleted it in the meantime. Copy your text if you still need it.";

/** Returns true if the form has a typed text (its field `text`), which must not be lost. */
export function hasTypedText(form: FormData): boolean {
  return readText(form).trim() !== "";
}

/**
 * Keeps a refused post, because its page can often not be shown after it: the session has ended, a colleague deleted
 * the record, or the backend is away.
 * @param isGone true if sending it again cannot help
 */
export function keepPost(form: FormData, failure: string, isGone = false): KeptPost {
  const others = [...form].flatMap(([name, value]) =>
    name !== "text" && typeof value === "string" ? [{ name, value }] : [],
  );
  return { failure, text: readText(form), fields: isGone ? null : others };
}

function readText(form: FormData): string {
  const text = form.get("text");
  return typeof text === "string" ? text.replaceAll("\r\n", "\n") : "";
}
