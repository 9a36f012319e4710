import type { PostedField } from "~/lib/pages/admin-refusal";

/**
 * Finds the fields of a permanent deletion that the admin has not confirmed yet. The page then shows only the question,
 * with these fields: in a text browser a closed `<details>` is open, so it protects nothing there.
 * @returns null if the deletion is confirmed
 */
export function findQuestion(form: FormData): PostedField[] | null {
  if (form.get("confirmed") === "yes") return null;
  return [...form].flatMap(([name, value]) => (typeof value === "string" ? [{ name, value }] : []));
}
