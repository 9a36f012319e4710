import { firstCharacters } from "./characters.ts";

/**
 * Name of the honeypot field, which only programs fill in. The name is neutral, because some programs skip a field that
 * is called honeypot, and it is not a name for which browsers or password managers store a value. All code behind the
 * form calls the field `honeypot`.
 */
export const trapFieldName = "topic";

/**
 * Renames the posted trap field to `honeypot`, and cuts it. Also accepts the old name, which pages opened before the field was
 * renamed still post.
 */
export function renameTrapField(form: FormData): void {
  const filled = [trapFieldName, "honeypot"].flatMap((name) => form.getAll(name)).find((value) => value !== "");
  form.delete(trapFieldName);
  form.set("honeypot", firstCharacters(String(filled ?? ""), 100));
}
