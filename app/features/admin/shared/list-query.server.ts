import { parseCursor, parseFilter } from "./filters";
import { type AdminList, type SearchSite, findSearch } from "./search-term.server";

/** Filter, search and page of a list. */
export interface ListQuery<Filter extends string> {
  filter: Filter;
  /** id of the current search, else null */
  searchId: string | null;
  search: string | null;
  /** true if the URL names a search that this browser no longer has: the page shows the full list and says so */
  isSearchOver: boolean;
  cursor: string | null;
}

/**
 * Reads filter, search and page from a URL. The default is the first filter.
 * @param searched default filter of a search
 */
export function readListQuery<Filter extends string>(
  site: SearchSite,
  request: Request,
  list: AdminList,
  { filters, searched }: { filters: readonly [Filter, ...Filter[]]; searched: Filter },
): ListQuery<Filter> {
  const query = new URL(request.url).searchParams;
  const search = findSearch(site, request, list);
  const words = search?.words ?? null;
  return {
    filter: parseFilter(filters, query.get("filter") ?? (words === null ? null : searched)),
    searchId: words === null ? null : (search?.id ?? null),
    search: words,
    isSearchOver: search !== null && words === null,
    cursor: parseCursor(query.get("page")),
  };
}
