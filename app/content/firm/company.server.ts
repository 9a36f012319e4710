import { readFacts } from "./facts-file.server";

const facts = readFacts(process.env);

/** The firm of this process. Facts are read once, before any page is rendered. */
export const company = facts.company;

/** The founder's picture if the facts name a file; else null. */
export const portrait = facts.portrait;

/**
 * Throws if the file of facts has mistakes. Commands that serve pages or write documents call it first; backups do not
 * need it.
 * @throws FactsError with all mistakes
 */
export function requireFacts(): void {
  if (facts.mistakes.length > 0) throw new FactsError(facts.file, facts.mistakes);
}

/** Error that lists every mistake in the file of facts, by key. */
export class FactsError extends Error {
  override name = "FactsError";
  constructor(file: string, mistakes: readonly string[]) {
    super(
      `The firm’s facts in ${file} have ${mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`}:\n- ${mistakes.join("\n- ")}`,
    );
  }
}
