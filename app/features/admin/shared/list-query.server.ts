import type { Cookies } from "~/server/cookies/cookies.server";
import { parseCursor, parseFilter } from "./filters";
import { type AdminList, findSearch } from "./search-term.server";

/** Which part of a list. */
export interface ListQuery<Filter extends string> {
  filter: Filter;
  /** of a search that goes on, else null */
  searchId: string | null;
  search: string | null;
  /** the address names a search that this browser no longer knows: the list is whole, and should say so */
  isSearchOver: boolean;
  cursor: string | null;
}

/**
 * The place that an address names; the first filter where it names none.
 * @param searched the filter of a search whose address names none
 */
export function readListQuery<Filter extends string>(
  cookies: Cookies,
  request: Request,
  list: AdminList,
  { filters, searched }: { filters: readonly [Filter, ...Filter[]]; searched: Filter },
): ListQuery<Filter> {
  const query = new URL(request.url).searchParams;
  const search = findSearch(cookies, request, list);
  const words = search?.words ?? null;
  return {
    filter: parseFilter(filters, query.get("filter") ?? (words === null ? null : searched)),
    searchId: words === null ? null : (search?.id ?? null),
    search: words,
    isSearchOver: search !== null && words === null,
    cursor: parseCursor(query.get("page")),
  };
}
