/** Name of the query parameter that shows the preferences on any page, for browsers that cannot open a dialog. */
export const preferencesParameter = "cookie-preferences";

/** Id of the preferences within a page, whether they are a dialog or open. */
export const preferencesId = "cookie-preferences";

/** The addresses that a page needs to have the preferences opened and closed. */
export interface PreferencesAddresses {
  /** path and query of the page itself */
  page: string;
  /** the same page with the preferences open in it */
  address: string;
}

/**
 * @param location of the page that is shown
 */
export function buildPreferencesAddresses({
  pathname,
  search,
}: {
  pathname: string;
  search: string;
}): PreferencesAddresses {
  const query = new URLSearchParams(search);
  query.delete(preferencesParameter);
  const page = query.size > 0 ? `${pathname}?${query}` : pathname;
  query.set(preferencesParameter, "open");
  return { page, address: `${pathname}?${query}#${preferencesId}` };
}
