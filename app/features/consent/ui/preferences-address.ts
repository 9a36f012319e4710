import { relevantQuery } from "~/lib/pages/relevant-query";
import { noticeParameter } from "~/lib/pages/notice-parameter";

/** Query parameter that opens the preferences on any page, for browsers that cannot open a dialog. */
export const preferencesParameter = "cookie-preferences";

/** Element id of the preferences, as a dialog or open within the page. */
export const preferencesId = "cookie-preferences";

/**
 * Returns true if an address opens the preferences within the page.
 * @param query with or without the question mark
 */
export function opensPreferences(query: string): boolean {
  // Skips parsing for most queries, which belong to campaigns. "open" may be percent-encoded, e.g. as %6f.
  return /open|%[67]/.test(query) && new URLSearchParams(query).get(preferencesParameter) === "open";
}

/** Pages whose whole query belongs to their address. On all other pages, `relevantQuery` decides. */
const readsQuery = /^\/(?:(?:admin|data-rights|login)\/|network$)/;

/**
 * Builds the addresses that close and open the preferences on a page.
 * @param location location of the current page
 * @param isMissing the page does not exist; it then uses the home page's addresses, so that one error page serves every
 * address
 * @returns `page`: the page itself, with the part of the query that it reads, without a notice; `address`: the same page
 *   with the preferences open in it
 */
export function buildPreferencesAddresses(
  { pathname, search }: { pathname: string; search: string },
  isMissing = false,
) {
  const path = isMissing ? "/" : pathname;
  const query = new URLSearchParams(path === "/admin" || readsQuery.test(path) ? search : relevantQuery(path, search));
  query.delete(preferencesParameter);
  query.delete(noticeParameter);
  const page = query.size > 0 ? `${path}?${query}` : path;
  query.set(preferencesParameter, "open");
  return { page, address: `${path}?${query}#${preferencesId}` };
}
