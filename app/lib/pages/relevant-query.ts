import { lastingNotices, noticeParameter } from "./notice-parameter";

/** The contact page's variant for investors. */
export const investorContactAddress = "/contact?about=investors";

/** Public pages whose query changes their content. Each is in page memory like a page of its own. */
export const addressesWithQuery: readonly string[] = [investorContactAddress, ...Object.values(lastingNotices)];

/** The query parameter that each path reads. */
const readBy: Readonly<Record<string, string>> = { "/contact": "about", "/login": noticeParameter };

/**
 * Returns the part of the query that a public page reads. All other parameters, such as a campaign's, lead to the same
 * page.
 * @param query with its question mark; empty if there is none
 * @returns with its question mark, exactly as the site links to it; empty if the page reads nothing
 */
export function relevantQuery(path: string, query: string): string {
  const name = readBy[path];
  // Most queries belong to campaigns and need no parsing.
  if (name === undefined || !(query.includes(name) || query.includes("%"))) return "";
  const relevant = `?${name}=${new URLSearchParams(query).get(name)}`;
  return addressesWithQuery.includes(path + relevant) ? relevant : "";
}
