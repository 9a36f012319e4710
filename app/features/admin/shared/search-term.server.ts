import type { Cookies } from "~/server/cookies/cookies.server";

/** Which of the two lists. */
export type AdminList = "submissions" | "requests";

/**
 * What the admin searches for. It may be somebody's name or address, so it stands in a cookie of this browser session and
 * never in a URL, which histories, proxies and logs keep.
 */
export function findSearchTerm(cookies: Cookies, request: Request, list: AdminList): string | null {
  const value = cookies.find(request, "adminSearch");
  const [cookieList, encoded = ""] = value?.split(".") ?? [];
  if (cookieList !== list) return null;
  return normalizeTerm(Buffer.from(encoded, "base64url").toString("utf8")) || null;
}

/** The `Set-Cookie` value that starts a search, or clears it when the term is empty. One list is searched at a time. */
export function keepSearchTerm(cookies: Cookies, list: AdminList, term: string): string {
  const words = normalizeTerm(term);
  if (words === "") return cookies.remove("adminSearch");
  return cookies.serialize("adminSearch", `${list}.${Buffer.from(words).toString("base64url")}`);
}

/** The database looks at no more either (private.turn_page). */
const maxTermLength = 200;

/** The database stores no control characters, so none can be found, and it refuses a NUL outright. */
function normalizeTerm(term: string): string {
  return term
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, maxTermLength)
    .toWellFormed();
}
