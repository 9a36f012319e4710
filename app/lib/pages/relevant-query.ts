import { investorContactAddress, investorWishAddresses } from "./contact-origin";
import { lastingNotices, noticeParameter } from "./notice-parameter";

/** Addresses of the contact form that preselect the business stage: links of the audience pages and of /investors. */
export const contactVariants = [
  investorContactAddress,
  investorWishAddresses.network,
  investorWishAddresses.diligence,
  "/contact?from=startups",
  "/contact?from=small-business",
  "/contact?from=growth-stage",
  "/contact?from=enterprises",
] as const;

/** Public pages whose query changes their content. Page memory holds each as its own page. */
export const addressesWithQuery: readonly string[] = [...contactVariants, ...Object.values(lastingNotices)];

/** The query parameters that each path reads, alone or together, the most important first. */
const readBy: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "/contact": [["about", "want"], ["about"], ["from"]],
  "/login": [[noticeParameter]],
};

/**
 * Returns the part of the query that a public page reads. All other parameters, such as a campaign's, lead to the same
 * page.
 * @param query with its question mark; empty if there is none
 * @returns with its question mark, exactly as the site links to it; empty if the page reads nothing
 */
export function relevantQuery(path: string, query: string): string {
  if (query === "") return "";
  const names = readBy[path];
  // Most queries belong to campaigns and need no parsing.
  if (names === undefined || !(query.includes("%") || names.flat().some((name) => query.includes(name)))) return "";
  const parameters = new URLSearchParams(query);
  const relevant = names.map((group) => `?${group.map((name) => `${name}=${parameters.get(name)}`).join("&")}`);
  return relevant.find((part) => addressesWithQuery.includes(path + part)) ?? "";
}

/** Returns true for the contact form's variants for investors, which can also ask to join the network. */
export function isInvestorForm(query: string): boolean {
  return `/contact${relevantQuery("/contact", query)}`.startsWith(investorContactAddress);
}
