import { randomBytes } from "node:crypto";
import { optionalLine } from "#supabase/functions/_shared/form-text";
import { firstCharacters } from "~/lib/characters";
import { normalizeLine } from "~/lib/plain-text";
import type { SiteContext } from "~/server/site-context.server";
import type { FailedSearch } from "./search-form";
import { searchLimit } from "./search-limit";

/** The parts of a site that keep searches. */
export type SearchSite = Pick<SiteContext, "cookies" | "secrets">;

/** One of the searchable lists. */
export type AdminList = "submissions" | "requests" | "members";

/** Validates a search term. An empty one ends the search. */
export const searchTermSchema = optionalLine("your search", searchLimit);

/** Refills a search form that {@link searchTermSchema} rejected. */
export function findFailedSearch(form: FormData, mistakes: Record<string, string[] | null> | null): FailedSearch {
  return { typed: String(form.get("search") ?? ""), mistake: mistakes?.search?.[0] ?? "Enter a search term" };
}

/** A search that a URL names; `words` is null once this browser no longer has the search term. */
export interface Search {
  id: string;
  words: string | null;
}

/**
 * Finds the search that the URL parameter `search` names, or null for the full list. A search term may be a person's
 * name or address, so it is stored encrypted in a session cookie, which browsers may keep on disk, and never in a URL,
 * which histories, proxies and logs retain. The URL holds a random id.
 */
export function findSearch(site: SearchSite, request: Request, list: AdminList): Search | null {
  const id = new URL(request.url).searchParams.get("search");
  if (id === null) return null;
  const stored = readSearches(site, request).find((search) => search.id === id && search.list === list);
  return { id, words: stored?.words ?? null };
}

/**
 * Stores a search term in the cookie.
 * @returns the id of the search, for the URL, and the `Set-Cookie` value; null for an empty term
 */
export function storeSearch(
  site: SearchSite,
  request: Request,
  list: AdminList,
  term: string,
): { id: string; setCookie: string } | null {
  const words = normalizeTerm(term);
  if (words === "") return null;
  const id = randomBytes(9).toString("base64url");
  let value = write({ id, list, words });
  for (const earlier of readSearches(site, request)) {
    const longer = `${value}~${write(earlier)}`;
    if (longer.length <= maxCookieLength) value = longer;
  }
  return { id, setCookie: site.cookies.serialize("adminSearch", site.secrets.seal("searches").close(value)) };
}

/**
 * Earlier searches stay while they fit, since another tab may show one. Browsers store 4,096 characters of a cookie,
 * and encryption makes a third more.
 */
const maxCookieLength = 1_500;

function readSearches(
  { cookies, secrets }: SearchSite,
  request: Request,
): { id: string; list: string; words: string }[] {
  const entries = open(secrets, cookies.find(request, "adminSearch") ?? "").split("~");
  return entries.flatMap((entry) => {
    const [id = "", list = "", encoded = ""] = entry.split(".");
    const words = normalizeTerm(Buffer.from(encoded, "base64url").toString("utf8"));
    return words === "" ? [] : [{ id, list, words }];
  });
}

/** Decrypts the cookie; empty if another key encrypted it, or nobody. */
function open(secrets: SearchSite["secrets"], value: string): string {
  try {
    return secrets.seal("searches").open(value);
  } catch {
    return "";
  }
}

function write({ id, list, words }: { id: string; list: string; words: string }): string {
  return `${id}.${list}.${Buffer.from(words).toString("base64url")}`;
}

/** Normalizes a term like stored text. A cookie may contain anything. */
function normalizeTerm(term: string): string {
  return firstCharacters(normalizeLine(term), searchLimit);
}
