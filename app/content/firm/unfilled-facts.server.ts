import { company } from "../company";
import { factPlaceholders } from "../placeholders";
import { builtInCompany } from "./built-in";
import { looksUnfilled } from "./unfilled";

/**
 * Lists the facts that the firm has not supplied: built-in placeholders, and values that look like one.
 * @returns `key`: as in the file of facts, e.g. "founder.name"; `reads`: the present text
 */
export function listUnfilledFacts() {
  const builtIn = new Map(readTexts(builtInCompany));
  const waiting = new Set(factPlaceholders.map(({ key }) => key));
  return readTexts(company)
    .filter(([key, text]) => looksUnfilled(text) || (waiting.has(key) && text === builtIn.get(key)))
    .map(([key, reads]) => ({ key, reads }));
}

/** Lists each text with its key. */
function readTexts(facts: object, path = ""): [string, string][] {
  return Object.entries(facts).flatMap(([key, value]): [string, string][] => {
    if (typeof value === "string") return [[path + key, value]];
    return typeof value === "object" && value !== null ? readTexts(value as object, `${path}${key}.`) : [];
  });
}
