/**
 * Shortens a name for a greeting: "Ada Hale" to "Ada", but "Dr. Hale" stays, because "Dr." greets nobody. It replaces
 * `{name}` in letters and replies alike. Names that are written without spaces stay whole.
 */
export function greetingName(name: string): string {
  const [first = ""] = name.split(" ");
  return first.endsWith(".") ? name : first;
}

/**
 * Finds a first name to greet a stranger by, such as "Sam" in "Sam Lee": one short word of letters. Null for a title,
 * and for a longer text than a name: anyone can enter another person's address.
 */
export function findFirstName(name: string): string | null {
  return /^(\p{L}[\p{L}\p{M}'’-]{1,19})(?: \S{1,25}){0,4}$/u.exec(name)?.[1] ?? null;
}
