/** A text, or a list of them, and its place in the words of a page. */
export interface ShownWord {
  readonly path: readonly (string | number)[];
  readonly value: string | readonly string[];
}

type Part = Record<string | number, unknown>;

/** Replaces one text. @returns puts the former one back */
export function replaceWord(words: object, { path, value }: ShownWord): () => void {
  const parent = path.slice(0, -1).reduce<Part>((part, key) => part[key] as Part, words as Part);
  const key = path.at(-1) ?? "";
  const before = parent[key];
  parent[key] = value;
  return () => (parent[key] = before);
}
