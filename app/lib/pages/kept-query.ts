import { lastingNotices, noticeParameter } from "./notice-parameter";

/** The contact page as it speaks to investors. */
export const investorContactAddress = "/contact?about=investors";

/** The addresses of public pages that say something else than the same path without their query; each is in memory like a page. */
export const addressesWithQuery: readonly string[] = [investorContactAddress, ...Object.values(lastingNotices)];

/** The parameter that each path reads. */
const readBy: Readonly<Record<string, string>> = { "/contact": "about", "/login": noticeParameter };

/**
 * What a public page reads of its query; it is the same page whatever else a campaign has put there.
 * @param query with its question mark; empty where there is none
 * @returns with its question mark, in the one form that the site links to; empty where the page reads nothing
 */
export function keptQuery(path: string, query: string): string {
  const name = readBy[path];
  // Most queries are of campaigns, and need not be parsed.
  if (name === undefined || !(query.includes(name) || query.includes("%"))) return "";
  const kept = `?${name}=${new URLSearchParams(query).get(name)}`;
  return addressesWithQuery.includes(path + kept) ? kept : "";
}
