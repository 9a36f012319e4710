/** The contact page as it speaks to investors. */
export const investorContactAddress = "/contact?about=investors";

/** The addresses of public pages that say something else than the same path without their query; each is in memory like a page. */
export const addressesWithQuery: readonly string[] = [investorContactAddress];

/**
 * What a public page reads of its query; it is the same page whatever else a campaign has put there.
 * @param query with its question mark; empty where there is none
 * @returns with its question mark, in the one form that the site links to; empty where the page reads nothing
 */
export function keptQuery(path: string, query: string): string {
  // Most queries are of campaigns, and need not be parsed.
  if (path !== "/contact" || !/about|%/i.test(query)) return "";
  return new URLSearchParams(query).get("about") === "investors" ? "?about=investors" : "";
}
