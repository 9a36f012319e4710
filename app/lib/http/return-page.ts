/**
 * Where a visitor goes back to after a form that stands on every page. Whatever the form says, it never leads to another
 * site: the address is judged as a browser reads it, because `/\evil`, `//evil` and `/<tab>/evil` all name another host.
 * @param page as the form sent it, e.g. "/about" or "/?x=1#services"
 * @param origin of this site
 * @param dropped names of query parameters that do not come along
 * @returns path, query and fragment on this site; "/" for everything else
 */
export function resolveReturnPage(page: string, origin: string, dropped: readonly string[]): string {
  if (!URL.canParse(page, origin)) return "/";
  const url = new URL(page, origin);
  // A path like "/.//evil" is this site's to the parser, yet read again as "//evil" it is another's; that of a blob's
  // address is a whole address itself.
  if (url.origin !== origin || !/^\/(?!\/)/.test(url.pathname)) return "/";
  // Only those that are there: to delete writes the whole query anew.
  for (const name of dropped) if (url.searchParams.has(name)) url.searchParams.delete(name);
  return url.pathname + url.search + url.hash;
}
