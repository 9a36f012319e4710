/**
 * The filters of the messages. The first, where the inbox opens, holds what needs an answer; `all` holds neither spam nor what is held
 * back (`quarantined`): these are in no list but their own.
 */
export const submissionFilters = ["waiting", "in_progress", "done", "all", "spam", "quarantined"] as const;

/** One of {@link submissionFilters}. */
export type SubmissionFilter = (typeof submissionFilters)[number];

/** The filters of the requests that the admin page offers; `quarantined` are the suspicious ones, `restricted` are in no other. */
export const requestFilters = [
  "active",
  "unconfirmed",
  "open",
  "in_progress",
  "closed",
  "quarantined",
  "restricted",
] as const;

/** One of {@link requestFilters}. */
export type RequestFilter = (typeof requestFilters)[number];

/** A filter from an address, or the first where the address names none that exists. */
export function parseFilter<Filter extends string>(
  filters: readonly [Filter, ...Filter[]],
  name: string | null,
): Filter {
  return filters.find((filter) => filter === name) ?? filters[0];
}

/** A place in a list from an address, or null for the beginning where the address names none. */
export function parseCursor(place: string | null): string | null {
  return place !== null && cursorPattern.test(place) ? place : null;
}

/** As private.turn_page writes it. */
const cursorPattern = /^(?:next|previous)\.-?\d{1,17}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.\d{1,17})?$/;

/** A place in a list, as its address names it. */
export interface ListUrlParts {
  filter: string;
  /** null for the beginning */
  cursor: string | null;
  /** the number of a search, or null for the whole list */
  searchId: string | null;
}

/** The address of a place in a list. It holds nothing of any person. */
export function listUrl(path: string, { filter, cursor, searchId }: ListUrlParts): string {
  const query = new URLSearchParams({
    filter,
    ...(searchId === null ? {} : { search: searchId }),
    ...(cursor === null ? {} : { page: cursor }),
  });
  return `${path}?${query}`;
}
