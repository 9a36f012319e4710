import { isbot } from "isbot";
import { publicPaths } from "~/content/site-pages";
import { isPrefetch } from "~/lib/http/prefetch";
import { createMemo } from "~/lib/memo";
import type { CountView } from "../observability/track-request.server";
import type { DayCounts } from "./day-counts.server";
import { nameCampaign, nameReferrer } from "./traffic-sources.server";

/** Longer than browsers send; the beginning identifies a robot. */
const maxUserAgentLength = 300;
/** Most visitors share a few user agents. */
const maxRemembered = 500;

/**
 * Creates the counter of page views, for cached and rendered pages alike. Of the request it stores only the name of the
 * page and, within limits, the visitor's source. A request without a user agent counts as a robot's.
 * @param ownHost host of this site with its port, if the operator has set it; otherwise each request's host
 * @param isOwnPage tells whether a path is one of the operator's own pages: nothing that a stranger types is counted
 */
export function createCountView(
  counts: DayCounts,
  ownHost: string | null,
  isOwnPage: (path: string) => boolean,
): CountView {
  const remember = createMemo<boolean>(maxRemembered);
  const findOwnPage = (route: string, url: string) => {
    const path = url.split("?", 1)[0] ?? "";
    return route.startsWith("/insights") && isOwnPage(path) ? path : null;
  };
  return ({ method, headers, url = "" }, route, status) => {
    if (method !== "GET" || (status !== 200 && status !== 304)) return;
    const name = publicPaths.has(route) ? route : findOwnPage(route, url);
    if (name === null) return;
    if (isPrefetch(headers["sec-purpose"])) return counts.add("prefetch", name);
    const userAgent = headers["user-agent"]?.slice(0, maxUserAgentLength) ?? "";
    // A lookup takes two microseconds.
    if (userAgent === "" || remember(userAgent, () => isbot(userAgent))) return counts.add("robot", name);
    counts.add("view", name);
    const referrer = nameReferrer(headers.referer, ownHost ?? headers.host ?? "");
    if (referrer !== null) counts.add("referrer", referrer);
    const campaign = nameCampaign(url);
    if (campaign !== null) counts.add("campaign", campaign);
  };
}
