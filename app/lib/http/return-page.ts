/** Longer than any address of this site with its query, which the server limits as well. */
const maxPageLength = 2_000;

/**
 * Resolves the page to return to after a form that is on every page. The result never leads to another site, regardless
 * of the input. The address is parsed as a browser parses it, because `/\evil`, `//evil` and `/<tab>/evil` all name
 * another host.
 * @param page as posted by the form, e.g. "/about" or "/?x=1#services"
 * @param origin origin of this site
 * @param dropped names of query parameters to remove
 * @returns path, query and fragment on this site; "/" for any other address
 */
export function resolveReturnPage(page: string, origin: string, dropped: readonly string[]): string {
  if (page.length > maxPageLength || !URL.canParse(page, origin)) return "/";
  const url = new URL(page, origin);
  // The parser assigns a path like "/.//evil" to this site, but parsed again, the resulting "//evil" is another site.
  // The path of a blob URL is a URL itself.
  if (url.origin !== origin || !/^\/(?!\/)/.test(url.pathname)) return "/";
  // Only parameters that are present: `delete` reserializes the whole query.
  for (const name of dropped) if (url.searchParams.has(name)) url.searchParams.delete(name);
  return url.pathname + url.search + url.hash;
}
