import type { Company } from "./company-facts";
import type { ShownWord } from "../words/replace-word";
import { looksUnfilled } from "./unfilled";

/** Id of the element that holds the firm's facts for the scripts of a page. */
export const companyElementId = "company";

/** Facts that all pages with scripts show. They are part of the first view, so the list is minimal. */
const shown = ["name", "tagline", "address", "email", "linkedin", "replyWithinHours", "replyDays"] as const;

/** Empty values in the browser for facts that only pages without scripts show. */
const serverOnlyFacts: Omit<Company, (typeof shown)[number]> = {
  jurisdiction: "",
  arbitrationBody: "",
  founder: { name: "", role: "", linkedin: "", story: [], philosophy: "", portrait: "" },
  representatives: { europeanUnion: "", unitedKingdom: "" },
  processors: [],
  process: [],
  proof: [],
  examples: {},
  closed: [],
  engagements: [],
  people: [],
  clients: [],
};

/**
 * Serializes the facts as the element's content: JSON that cannot close the element (HTML, section 4.12.1.3).
 * @param path of the page; only the contact page names the founder and the first steps
 * @param words of the firm's own on pages with scripts, by page
 */
export function describeCompany(company: Company, path: string, words: Words): string {
  const { founder, process } = company;
  const facts: object = {
    ...Object.fromEntries(shown.map((key) => [key, company[key]])),
    ...(path === "/contact" && !looksUnfilled(founder.name)
      ? { founder: { name: founder.name, portrait: founder.portrait } }
      : {}),
    ...(path === "/contact" && process.length > 0 ? { process } : {}),
    ...(words[path.slice(1)]?.length ? { words } : {}),
  };
  return JSON.stringify(facts).replaceAll("<", "\\u003c");
}

type Words = Readonly<Record<string, readonly ShownWord[]>>;

/** Reads the firm's own words from the output of {@link describeCompany}. */
export function readWords(content: string): Words {
  return (JSON.parse(content) as { words?: Words }).words ?? {};
}

/** Parses the output of {@link describeCompany}. */
export function readCompany(content: string): Company {
  const facts = JSON.parse(content) as Company;
  return { ...serverOnlyFacts, ...facts, founder: { ...serverOnlyFacts.founder, ...facts.founder } };
}
