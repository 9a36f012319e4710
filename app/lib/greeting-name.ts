/**
 * Shortens a name for a greeting: "Ada Hale" to "Ada", but "Dr. Hale" stays, because "Dr." greets nobody. It replaces
 * `{name}` in letters and replies alike. Names that are written without spaces stay whole.
 */
export function greetingName(name: string): string {
  const [first = ""] = name.split(" ");
  return first.endsWith(".") ? name : first;
}
