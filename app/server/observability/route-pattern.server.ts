import type { ServerBuild } from "@remix-run/node";

/** Where everything counts that is no page of ours. */
const anyOther = "/*";

/**
 * Finds the pattern under which a request is logged and counted, e.g. `/admin/requests/:requestId`. There are as many as
 * routes, whatever is asked for.
 * @param routes as the build lists them
 * @returns from a path, with or without query, to its pattern; `/*` where there is no such page. The data requests of
 *   scripts (`/contact.data`) have patterns of their own.
 */
export function createRoutePatterns(routes: ServerBuild["routes"]): (url: string) => string {
  const patterns = Object.values(routes)
    .filter((route) => route !== undefined && route.id !== "root")
    .map((route) => `/${joinPaths(routes, route?.id)}`)
    .filter((pattern) => pattern !== anyOther);
  const fixed = new Set(patterns.filter((pattern) => !pattern.includes(":")));
  const dynamic = patterns
    .filter((pattern) => pattern.includes(":"))
    .map((pattern) => ({ pattern, shape: shapeOf(pattern) }));

  function matchPattern(path: string): string {
    if (fixed.has(path)) return path;
    return dynamic.find(({ shape }) => shape.test(path))?.pattern ?? anyOther;
  }
  return (url) => {
    const path = normalizePath(url);
    const page = matchPattern(path);
    if (page !== anyOther || !path.endsWith(".data")) return page;
    const dataOf = path === "/_root.data" ? "/" : path.slice(0, -".data".length);
    const pattern = matchPattern(dataOf);
    return pattern === anyOther ? anyOther : `${pattern}.data`;
  };
}

/** The router is as lenient as this: letter case, escapes and a slash at the end make no difference to it. */
function normalizePath(url: string): string {
  const path = url.split("?", 1)[0]?.toLowerCase() ?? "/";
  try {
    return trimSlashes(decodeURI(path));
  } catch {
    return path;
  }
}

function trimSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path.endsWith("/", end)) end -= 1;
  return path.slice(0, end);
}

function joinPaths(routes: ServerBuild["routes"], id: string | undefined): string {
  const route = id === undefined ? undefined : routes[id];
  if (route === undefined) return "";
  return [joinPaths(routes, route.parentId), route.path ?? ""].filter((part) => part !== "").join("/");
}

function shapeOf(pattern: string): RegExp {
  const parts = pattern
    .split("/")
    .map((part) => (part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return new RegExp(`^${parts.join("/")}$`);
}
