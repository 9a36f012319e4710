/**
 * Filters of the messages. The inbox opens with the first: messages that need an answer, of which some are late. Spam and held-back messages
 * (`quarantined`) appear only under their own filters, not under `all`.
 */
export const submissionFilters = ["waiting", "late", "in_progress", "done", "all", "spam", "quarantined"] as const;

/** One of {@link submissionFilters}. */
export type SubmissionFilter = (typeof submissionFilters)[number];

/**
 * Filters of the data rights requests. `quarantined` are the suspicious ones. Restricted ones appear only under
 * `restricted`.
 */
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

/** Parses a filter from a URL. The default is the first filter. */
export function parseFilter<Filter extends string>(
  filters: readonly [Filter, ...Filter[]],
  name: string | null,
): Filter {
  return filters.find((filter) => filter === name) ?? filters[0];
}

/** Parses a page cursor from a URL. Returns null, the first page, for anything else. */
export function parseCursor(place: string | null): string | null {
  return place !== null && cursorPattern.test(place) ? place : null;
}

/** Format that private.turn_page writes. */
const cursorPattern = /^(?:next|previous)\.-?\d{1,17}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.\d{1,17})?$/;

/** Parts of a list's URL. */
export interface ListUrlParts {
  filter: string;
  /** null for the first page */
  cursor: string | null;
  /** id of a search, or null for the full list */
  searchId: string | null;
}

/** Builds the URL of a message's page, which leads back to its list. */
export function messageUrl(id: string, place: ListUrlParts): string {
  return listUrl(`/admin/messages/${id}`, place);
}

/** Builds the URL of a list page. It contains no personal data. */
export function listUrl(path: string, { filter, cursor, searchId }: ListUrlParts): string {
  const query = new URLSearchParams({
    filter,
    ...(searchId === null ? {} : { search: searchId }),
    ...(cursor === null ? {} : { page: cursor }),
  });
  return `${path}?${query}`;
}
