import type { ServerBuild } from "@remix-run/node";

/** Pattern of all URLs that match no page. */
export const notFoundPattern = "/*";

/** Route that serves a request. */
export interface RouteMatch {
  /**
   * route pattern for logs and metrics, e.g. `/admin/requests/:requestId`; there are only as many as routes, for any
   * URL
   */
  pattern: string;
  /** id in the build */
  id: string;
}

/**
 * Finds the route of a URL, with or without query; that of `/*` if no page matches. Data requests (`/contact.data`)
 * have their own patterns.
 */
export type RouteMatcher = (url: string) => RouteMatch;

/**
 * Creates the route finder.
 * @param routes the build's routes
 */
export function createRouteMatcher(routes: ServerBuild["routes"]): RouteMatcher {
  const all = Object.values(routes).flatMap((route) =>
    route === undefined || route.id === "root" ? [] : [{ pattern: `/${joinPaths(routes, route.id)}`, id: route.id }],
  );
  const missing = all.find(({ pattern }) => pattern === notFoundPattern) ?? { pattern: notFoundPattern, id: "root" };
  const pages = all.filter(({ pattern }) => pattern !== notFoundPattern);
  const fixed = new Map(pages.filter(({ pattern }) => !pattern.includes(":")).map((route) => [route.pattern, route]));
  const dynamic = pages
    .filter(({ pattern }) => pattern.includes(":"))
    .map((route) => ({ route, shape: shapeOf(route.pattern) }));
  // Robots request paths that match no shape; one regular expression rejects them all.
  const anyShape = new RegExp(dynamic.map(({ shape }) => shape.source).join("|") || "$^");

  function match(path: string): RouteMatch {
    const found = fixed.get(path);
    if (found !== undefined) return found;
    return (anyShape.test(path) && dynamic.find(({ shape }) => shape.test(path))?.route) || missing;
  }
  return (url) => {
    const path = normalizePath(url);
    const page = match(path);
    if (page !== missing || !path.endsWith(".data")) return page;
    const { pattern, id } = match(path === "/_root.data" ? "/" : path.slice(0, -".data".length));
    return id === missing.id ? missing : { pattern: `${pattern}.data`, id };
  };
}

/** Normalizes a URL like the router, which ignores letter case, escapes and trailing slashes. */
function normalizePath(url: string): string {
  const queryStart = url.indexOf("?");
  const path = (queryStart === -1 ? url : url.slice(0, queryStart)).toLowerCase();
  try {
    return trimSlashes(path.includes("%") ? decodeURI(path) : path);
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
