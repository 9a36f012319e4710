/**
 * Finds the initials of a person's first and last name.
 * @param name as a person writes it; titles such as "Dr." and degrees after a comma do not count
 */
export function findInitials(name: string): string {
  const [plain = name] = name.split(",");
  const words = plain.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const names = words.filter((word) => !/^\p{L}{2,}\.$/u.test(word));
  const [first = "", last = ""] = [names[0] ?? words[0], names.length > 1 ? names.at(-1) : ""];
  return [first, last].map((word) => (/^\p{L}\p{M}*/u.exec(word)?.[0] ?? "").toUpperCase()).join("");
}
