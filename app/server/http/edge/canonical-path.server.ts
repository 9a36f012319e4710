import { sendText } from "../send-text.server";
import type { Step } from "./exchange.server";

/**
 * Where a page really lives, when the visitor asked for `/Contact/`, or `/contact.` as the end of somebody's sentence: one address a page,
 * for search engines and caches.
 * @param url path and query as received
 * @returns the canonical path and query, or null when the request already uses it
 */
export function findCanonicalPath(url: string): string | null {
  const [path, query] = splitQuery(url);
  // Leading slashes collapse as well: a Location of //host would lead to another site, and so would /\host, because
  // browsers read a backslash as a slash.
  const collapsed = collapseSlashes(withoutStraySigns(collapseSlashes(path)));
  // Data requests of scripts and files keep their names.
  const isFile = collapsed.includes(".", collapsed.lastIndexOf("/"));
  const canonicalPath = isFile ? collapsed : collapsed.toLowerCase();
  // An empty query is dropped: the side menu uses one to have a page loaded again (ui/side-menu).
  const canonicalQuery = query === "?" && !isFile ? "" : query;
  return canonicalPath === path && canonicalQuery === query ? null : canonicalPath + canonicalQuery;
}

/** Redirects to the canonical path. A form is not sent twice: it goes on as it is. */
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

/** Zero-width marks, soft hyphens, spaces of all widths: copied along from a mail or a document, and part of no address of ours. */
const invisible = /[\p{Cf}\p{Z}]/gu;

/** What ends a sentence, a quotation or an address in brackets, and a last slash. */
const ending = new Set("/\\.,;:!?…*_`'\"“”„‘’‚«»‹›()[]{}<>|");

/** @returns the path as it was written where nothing is wrong with it */
function withoutStraySigns(path: string): string {
  const decoded = decode(path);
  if (decoded === null) return path;
  const visible = decoded.replace(invisible, "");
  let end = visible.length;
  while (end > 0 && ending.has(visible.charAt(end - 1))) end -= 1;
  const kept = end === 0 ? "/" : visible.slice(0, end);
  return kept === decoded ? path : encode(kept);
}

/** Slashes and percent signs stay encoded: decoded, they would make another path. */
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
