import type { Company } from "./company-facts";

/** Id of the element that holds the firm's facts for the scripts of a page. */
export const companyElementId = "company";

/** Facts that pages with scripts show. They are part of the first view, so the list is minimal. */
type BrowserFacts = Pick<Company, "name" | "tagline" | "email" | "linkedin" | "replyWithinHours" | "replyDays">;

/** Empty values in the browser for facts that only pages without scripts show. */
const serverOnlyFacts: Omit<Company, keyof BrowserFacts> = {
  address: "",
  jurisdiction: "",
  arbitrationBody: "",
  founder: { name: "", role: "", linkedin: "", story: [], portrait: "" },
  representatives: { europeanUnion: "", unitedKingdom: "" },
  processors: [],
};

/** Serializes the facts as the element's content: JSON that cannot close the element (HTML, section 4.12.1.3). */
export function describeCompany({ name, tagline, email, linkedin, replyWithinHours, replyDays }: Company): string {
  const facts: BrowserFacts = { name, tagline, email, linkedin, replyWithinHours, replyDays };
  return JSON.stringify(facts).replaceAll("<", "\\u003c");
}

/** Parses the output of {@link describeCompany}. */
export function readCompany(content: string): Company {
  return { ...serverOnlyFacts, ...(JSON.parse(content) as BrowserFacts) };
}
