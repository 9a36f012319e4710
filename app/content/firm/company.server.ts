import { readFacts } from "./facts-file.server";

const facts = readFacts(process.env);

/** The firm of this process. Its facts are read once, before any page is made of them. */
export const company = facts.company;

/** The founder's picture, where the facts name a file; else null. */
export const portrait = facts.portrait;

/**
 * Says what is wrong with the file of facts. Whatever serves pages or writes documents asks first; a backup need not.
 * @throws FactsError with every mistake at once
 */
export function requireFacts(): void {
  if (facts.mistakes.length > 0) throw new FactsError(facts.file, facts.mistakes);
}

/** Lists every mistake in the file of facts, by key. */
export class FactsError extends Error {
  override name = "FactsError";
  constructor(file: string, mistakes: readonly string[]) {
    super(
      `The firm’s facts in ${file} have ${mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`}:\n- ${mistakes.join("\n- ")}`,
    );
  }
}
