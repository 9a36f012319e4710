import { networkFields, networkKinds } from "#supabase/functions/_shared/network-fields";
import { parseFilter } from "../shared/filters";

/** States of members, in the order of their tabs. The list opens with those that wait for a review. */
export const memberStates = ["confirmed", "admitted", "declined", "asked"] as const;

/** States of members who can get a letter. */
export const letterStates = ["confirmed", "admitted"] as const;

/** One of {@link memberStates}. */
export type MemberState = (typeof memberStates)[number];

/** Part of the network that a page of the list or a download shows. */
export interface NetworkQuery {
  state: MemberState;
  /** null for all kinds */
  kind: (typeof networkKinds)[number] | null;
  /** null for all fields of interest */
  field: (typeof networkFields)[number] | null;
  /** id of the current search, else null */
  searchId: string | null;
  /** from 1 */
  page: number;
}

/** Path of the list of members. */
export const networkPath = "/admin/network";

/** Reads state, kind, field, search and page from a URL, and ignores values that do not exist. */
export function readNetworkQuery(url: string): NetworkQuery {
  const query = new URL(url).searchParams;
  const page = query.get("page") ?? "";
  return {
    state: parseFilter(memberStates, query.get("filter")),
    kind: networkKinds.find((kind) => kind === query.get("kind")) ?? null,
    field: networkFields.find((field) => field === query.get("field")) ?? null,
    searchId: query.get("search"),
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

/** Builds the URL of a member's page, which leads back to its list. @param list null if none led there */
export function memberUrl(id: string, list: NetworkQuery | null): string {
  const path = `${networkPath}/${id}`;
  return list === null ? path : networkUrl(list, path);
}

/** Reads the list that led to a member's page from its URL; null if none did. */
export function readMemberList(url: string): NetworkQuery | null {
  return new URL(url).searchParams.has("filter") ? readNetworkQuery(url) : null;
}

/** Builds the URL of a page of the list, or of its download. It contains no personal data. */
export function networkUrl({ state, kind, field, searchId, page }: NetworkQuery, path = networkPath): string {
  const query = new URLSearchParams({
    filter: state,
    ...(kind === null ? {} : { kind }),
    ...(field === null ? {} : { field }),
    ...(searchId === null ? {} : { search: searchId }),
    ...(page === 1 ? {} : { page: String(page) }),
  });
  return `${path}?${query}`;
}
