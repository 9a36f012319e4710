import type { ServerBuild } from "@remix-run/node";

/** The pattern of everything that is no page of ours. */
export const anyOther = "/*";

/** What answers a request. */
export interface FoundRoute {
  /** under which it is logged and counted, e.g. `/admin/requests/:requestId`; there are as many as routes, whatever is asked for */
  pattern: string;
  /** as the build lists it */
  id: string;
}

/**
 * From a path, with or without query, to its route; that of `/*` where there is no such page. The data requests of scripts
 * (`/contact.data`) have patterns of their own.
 */
export type FindRoute = (url: string) => FoundRoute;

/**
 * Makes what finds the route that answers a request.
 * @param routes as the build lists them
 */
export function createFindRoute(routes: ServerBuild["routes"]): FindRoute {
  const all = Object.values(routes).flatMap((route) =>
    route === undefined || route.id === "root" ? [] : [{ pattern: `/${joinPaths(routes, route.id)}`, id: route.id }],
  );
  const missing = all.find(({ pattern }) => pattern === anyOther) ?? { pattern: anyOther, id: "root" };
  const pages = all.filter(({ pattern }) => pattern !== anyOther);
  const fixed = new Map(pages.filter(({ pattern }) => !pattern.includes(":")).map((route) => [route.pattern, route]));
  const dynamic = pages
    .filter(({ pattern }) => pattern.includes(":"))
    .map((route) => ({ route, shape: shapeOf(route.pattern) }));
  // What robots ask for has none of the shapes, and is compared with all of them at once.
  const anyShape = new RegExp(dynamic.map(({ shape }) => shape.source).join("|") || "$^");

  function match(path: string): FoundRoute {
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

/** The router is as lenient as this: letter case, escapes and a slash at the end make no difference to it. */
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
