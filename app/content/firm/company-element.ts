import type { Company } from "./company-facts";

/** The element by which a page with scripts tells them who the firm is. */
export const companyElementId = "company";

/**
 * Its content: JSON in which nothing can end the element (HTML, section 4.12.1.3). The founder's story is left out, which is long and
 * which no page with scripts tells.
 */
export function describeCompany(company: Company): string {
  const known: Company = { ...company, founder: { ...company.founder, story: [] } };
  return JSON.stringify(known).replaceAll("<", "\\u003c");
}
