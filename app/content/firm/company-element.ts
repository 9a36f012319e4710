import type { Company } from "./company-facts";

/** The element by which a page with scripts tells them who the firm is. */
export const companyElementId = "company";

/** Its content: JSON in which nothing can end the element (HTML, section 4.12.1.3). */
export function describeCompany(company: Company): string {
  return JSON.stringify(company).replaceAll("<", "\\u003c");
}
