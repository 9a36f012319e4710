import { sendText } from "./refusals.server";
import type { Step } from "./exchange.server";

/**
 * Finds the canonical address of a page for spellings such as `/Contact/`, or `/contact.` from the end of a sentence.
 * Search engines and caches need one address per page.
 * @param url path and query as received
 * @returns the canonical path and query, or null when the request already uses it
 */
export function findCanonicalPath(url: string): string | null {
  const [path, query] = splitQuery(url);
  if (usualPath.test(path) && query !== "?") return null;
  // Leading slashes collapse as well: a Location of //host would lead to another site, and so would /\host, because
  // browsers read a backslash as a slash.
  const collapsed = collapseSlashes(stripStrayCharacters(collapseSlashes(path)));
  // Files and Remix data requests (`.data`) keep their spelling.
  const isFile = collapsed.includes(".", collapsed.lastIndexOf("/"));
  const canonicalPath = isFile ? collapsed : collapsed.toLowerCase();
  // Drop an empty query: the side menu appends one to force a page load (ui/side-menu).
  const canonicalQuery = query === "?" && !isFile ? "" : query;
  return canonicalPath === path && canonicalQuery === query ? null : canonicalPath + canonicalQuery;
}

/** Shape of our pages' own paths, which most requests have. */
const usualPath = /^\/(?:[a-z0-9-]+(?:\/[a-z0-9-]+)*)?$/;

/** Redirects to the canonical path. POST requests pass unchanged, so that no form is sent twice. */
export const redirectToCanonicalPath: Step = (exchange, next) => {
  const { request, response } = exchange;
  const canonical = request.method === "POST" ? null : findCanonicalPath(request.url ?? "/");
  if (canonical === null) return next();
  exchange.route = "(redirect)";
  sendText(response, 308, "", { Location: canonical });
};

function collapseSlashes(path: string): string {
  return path.replace(/[/\\]{2,}/g, "/");
}

/** Zero-width characters, soft hyphens and spaces, copied from an email or document. None of our addresses has them. */
const invisible = /[\p{Cf}\p{Z}]/gu;

/** Characters after which a copied address ends: punctuation, quotation marks, brackets, and the trailing slash. */
const trailingCharacters = new Set("/\\.,;:!?…*_`'\"“”„‘’‚«»‹›()[]{}<>|");

/** @returns the path unchanged when it has no stray characters */
function stripStrayCharacters(path: string): string {
  const decoded = decode(path);
  if (decoded === null) return path;
  const visible = decoded.replace(invisible, "");
  let end = visible.length;
  while (end > 0 && trailingCharacters.has(visible.charAt(end - 1))) end -= 1;
  const trimmed = end === 0 ? "/" : visible.slice(0, end);
  return trimmed === decoded ? path : encode(trimmed);
}

/** Decodes a path, except slashes, backslashes and percent signs: decoded, they would change its structure. */
function decode(path: string): string | null {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path.replace(/%(?=2f|5c|25)/gi, "%25"));
  } catch {
    return null;
  }
}

function encode(path: string): string {
  return encodeURI(path.toWellFormed())
    .replace(/%25(?=2f|5c|25)/gi, "%")
    .replace(/[?#]/g, encodeURIComponent);
}

function splitQuery(url: string): [string, string] {
  const start = url.indexOf("?");
  return start === -1 ? [url, ""] : [url.slice(0, start), url.slice(start)];
}
