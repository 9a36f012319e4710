import { randomBytes } from "node:crypto";
import { optionalLine } from "#supabase/functions/_shared/form-text";
import { firstCharacters } from "~/lib/characters";
import { normalizeLine } from "~/lib/plain-text";
import type { Cookies } from "~/server/cookies/cookies.server";
import type { FailedSearch } from "./search-form";
import { searchLimit } from "./search-limit";

/** Which of the two lists. */
export type AdminList = "submissions" | "requests";

/** What the form of a search sends; an empty one ends the search. */
export const searchTermSchema = optionalLine("your search", searchLimit);

/** What the form of a search shows that {@link searchTermSchema} refused. */
export function findFailedSearch(form: FormData, mistakes: Record<string, string[] | null> | null): FailedSearch {
  return { typed: String(form.get("search") ?? ""), mistake: mistakes?.search?.[0] ?? "Enter what to search for" };
}

/** A search that an address names; `words` is null when this browser no longer knows what was searched for. */
export interface Search {
  id: string;
  words: string | null;
}

/**
 * The search that the parameter `search` of an address names, or null where it names none: then the list is whole. What is
 * searched for may be somebody's name or address, so it stands in a cookie of this browser session and never in a URL, which
 * histories, proxies and logs keep; the URL holds a random number.
 */
export function findSearch(cookies: Cookies, request: Request, list: AdminList): Search | null {
  const id = new URL(request.url).searchParams.get("search");
  if (id === null) return null;
  const stored = readSearches(cookies, request).find((search) => search.id === id && search.list === list);
  return { id, words: stored?.words ?? null };
}

/**
 * Keeps what is searched for.
 * @returns the search's number, for the address, and the `Set-Cookie` value; null where there is nothing to search for
 */
export function storeSearch(
  cookies: Cookies,
  request: Request,
  list: AdminList,
  term: string,
): { id: string; setCookie: string } | null {
  const words = normalizeTerm(term);
  if (words === "") return null;
  const id = randomBytes(9).toString("base64url");
  let value = write({ id, list, words });
  for (const earlier of readSearches(cookies, request)) {
    const longer = `${value}~${write(earlier)}`;
    if (longer.length <= maxCookieLength) value = longer;
  }
  return { id, setCookie: cookies.serialize("adminSearch", value) };
}

/** Earlier searches stay as far as there is room: another tab may show one. Browsers keep 4,096 characters of a cookie. */
const maxCookieLength = 2_000;

function readSearches(cookies: Cookies, request: Request): { id: string; list: string; words: string }[] {
  const entries = cookies.find(request, "adminSearch")?.split("~") ?? [];
  return entries.flatMap((entry) => {
    const [id = "", list = "", encoded = ""] = entry.split(".");
    const words = normalizeTerm(Buffer.from(encoded, "base64url").toString("utf8"));
    return words === "" ? [] : [{ id, list, words }];
  });
}

function write({ id, list, words }: { id: string; list: string; words: string }): string {
  return `${id}.${list}.${Buffer.from(words).toString("base64url")}`;
}

/** As texts are stored. What comes back in a cookie may be anything. */
function normalizeTerm(term: string): string {
  return firstCharacters(normalizeLine(term), searchLimit);
}
