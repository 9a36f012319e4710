import type { Company } from "./company-facts";

/** The element by which a page with scripts tells them who the firm is. */
export const companyElementId = "company";

/** What pages with scripts say of the firm. Every byte of it is in their first view, so that it is no more than that. */
type ToldFacts = Pick<Company, "name" | "tagline" | "email" | "linkedin" | "replyWithinHours" | "replyDays">;

/** Stands in a browser for what only pages without scripts say. */
const untold: Omit<Company, keyof ToldFacts> = {
  address: "",
  jurisdiction: "",
  arbitrationBody: "",
  founder: { name: "", role: "", linkedin: "", story: [], portrait: "" },
  representatives: { europeanUnion: "", unitedKingdom: "" },
  processors: [],
};

/** The element's content: JSON in which nothing can end it (HTML, section 4.12.1.3). */
export function describeCompany({ name, tagline, email, linkedin, replyWithinHours, replyDays }: Company): string {
  const told: ToldFacts = { name, tagline, email, linkedin, replyWithinHours, replyDays };
  return JSON.stringify(told).replaceAll("<", "\\u003c");
}

/** Reads what {@link describeCompany} has written. */
export function readCompany(content: string): Company {
  return { ...untold, ...(JSON.parse(content) as ToldFacts) };
}
