import { keptQuery } from "~/lib/pages/kept-query";
import { noticeParameter } from "~/lib/pages/notice-parameter";

/** Name of the query parameter that shows the preferences on any page, for browsers that cannot open a dialog. */
export const preferencesParameter = "cookie-preferences";

/** Id of the preferences within a page, whether they are a dialog or open. */
export const preferencesId = "cookie-preferences";

/**
 * Whether an address asks for the preferences, open in the page.
 * @param query with or without its question mark
 */
export function opensPreferences(query: string): boolean {
  // Most queries are of campaigns, and cannot say it: they need not be parsed. "open" may have letters written as %6f.
  return /open|%[67]/.test(query) && new URLSearchParams(query).get(preferencesParameter) === "open";
}

/** The addresses that a page needs to have the preferences opened and closed. */
export interface PreferencesAddresses {
  /** path of the page itself, with its query where it reads one, without a message */
  page: string;
  /** the same page with the preferences open in it */
  address: string;
}

/** Of these pages the whole query is a part; of all others only what `keptQuery` says. */
const readsQuery = /^\/(?:admin|data-rights|login)\//;

/**
 * @param location of the page that is shown
 * @param isMissing there is no such page: its preferences are those of the home page, so that one page does for all
 */
export function buildPreferencesAddresses(
  { pathname, search }: { pathname: string; search: string },
  isMissing = false,
): PreferencesAddresses {
  const path = isMissing ? "/" : pathname;
  const query = new URLSearchParams(path === "/admin" || readsQuery.test(path) ? search : keptQuery(path, search));
  query.delete(preferencesParameter);
  query.delete(noticeParameter);
  const page = query.size > 0 ? `${path}?${query}` : path;
  query.set(preferencesParameter, "open");
  return { page, address: `${path}?${query}#${preferencesId}` };
}
