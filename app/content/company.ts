import { company as processCompany } from "#firm/company";
import { isLoopback } from "~/lib/http/loopback";
import type { Company } from "./firm/company-facts";
import { looksUnfilled } from "./firm/unfilled";

/** The firm of this process: facts from the operator's file (SITE_FACTS), with built-in placeholders for the rest. */
export const company: Company = processCompany;

/** The founder's name for mails; undefined while it is a placeholder. */
export const founderName = looksUnfilled(company.founder.name) ? undefined : company.founder.name;

/** Hours within which the firm replies to a contact message (REQUIREMENTS 3.5). */
export const { replyWithinHours } = company;

/** The promised time on pages and in emails, e.g. "24 hours". */
export const replyPromise = `${replyWithinHours} hours${company.replyDays === "business" ? " on business days" : ""}`;

/**
 * Finds the address that a link to one of the firm's own pages leads to.
 * @param address from the facts; empty if there is no such page
 * @param siteUrl the site's own; undefined if the root loader's data is missing
 * @returns null if there is no link: visitors of a public site must not follow a placeholder
 */
export function findLinkedPage(address: string, siteUrl: string | undefined): string | null {
  if (address === "") return null;
  const isLocal = siteUrl !== undefined && isLoopback(new URL(siteUrl).hostname);
  return looksUnfilled(address) && !isLocal ? null : address;
}
