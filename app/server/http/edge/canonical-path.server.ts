/**
 * Where a page really lives, when the visitor asked for `/Contact/` or the like: one address a page, for search engines
 * and caches.
 * @param url path and query as received
 * @returns the canonical path and query, or null when the request already uses it
 */
export function findCanonicalPath(url: string): string | null {
  const [path, query] = splitQuery(url);
  // Leading slashes collapse as well: a Location of //host would lead to another site, and so would /\host, because
  // browsers read a backslash as a slash.
  const collapsed = path.replace(/[/\\]{2,}/g, "/");
  // Data requests of scripts and files keep their names.
  const isFile = collapsed.includes(".", collapsed.lastIndexOf("/"));
  const canonicalPath = isFile ? collapsed : trimLastSlash(collapsed.toLowerCase());
  // An empty query is dropped: the side menu uses one to have a page loaded again (ui/side-menu).
  const canonicalQuery = query === "?" && !isFile ? "" : query;
  return canonicalPath === path && canonicalQuery === query ? null : canonicalPath + canonicalQuery;
}

function trimLastSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function splitQuery(url: string): [string, string] {
  const start = url.indexOf("?");
  return start === -1 ? [url, ""] : [url.slice(0, start), url.slice(start)];
}
