import type { Company } from "./company-facts";
import { looksUnfilled } from "./unfilled";

/** Id of the element that holds the firm's facts for the scripts of a page. */
export const companyElementId = "company";

/** Facts that pages with scripts show. They are part of the first view, so the list is minimal. */
interface BrowserFacts extends Pick<
  Company,
  "name" | "tagline" | "email" | "linkedin" | "replyWithinHours" | "replyDays"
> {
  readonly founder?: Pick<Company["founder"], "name" | "portrait">;
  readonly process?: Company["process"];
}

/** Empty values in the browser for facts that only pages without scripts show. */
const serverOnlyFacts: Company = {
  name: "",
  tagline: "",
  email: "",
  linkedin: "",
  replyWithinHours: 0,
  replyDays: "all",
  address: "",
  jurisdiction: "",
  arbitrationBody: "",
  founder: { name: "", role: "", linkedin: "", story: [], philosophy: "", portrait: "" },
  representatives: { europeanUnion: "", unitedKingdom: "" },
  processors: [],
  process: [],
  proof: [],
  examples: {},
};

/**
 * Serializes the facts as the element's content: JSON that cannot close the element (HTML, section 4.12.1.3).
 * @param path of the page; only the contact page names the founder and the first steps
 */
export function describeCompany(company: Company, path: string): string {
  const { name, tagline, email, linkedin, replyWithinHours, replyDays, founder, process } = company;
  const facts: BrowserFacts = {
    name,
    tagline,
    email,
    linkedin,
    replyWithinHours,
    replyDays,
    ...(path === "/contact" && !looksUnfilled(founder.name)
      ? { founder: { name: founder.name, portrait: founder.portrait } }
      : {}),
    ...(path === "/contact" && process.length > 0 ? { process } : {}),
  };
  return JSON.stringify(facts).replaceAll("<", "\\u003c");
}

/** Parses the output of {@link describeCompany}. */
export function readCompany(content: string): Company {
  const facts = JSON.parse(content) as BrowserFacts;
  return { ...serverOnlyFacts, ...facts, founder: { ...serverOnlyFacts.founder, ...facts.founder } };
}
