import { isbot } from "isbot";
import { publicPaths } from "~/content/site-pages";
import { isPrefetch } from "~/lib/http/prefetch";
import type { CountView } from "../observability/track-request.server";
import type { DayCounts } from "./day-counts.server";
import { nameCampaign, nameReferrer } from "./traffic-sources.server";

/** Longer than browsers send; the beginning identifies a robot. */
const maxUserAgentLength = 300;
/** Cached user agents; more than are in use at a time. */
const maxCached = 500;

/**
 * Creates the counter of page views, for cached and rendered pages alike. Of the request it stores only the name of the
 * page and, within limits, the visitor's source.
 * @param ownHost host of this site with its port, if the operator has set it; otherwise each request's host
 */
export function createCountView(counts: DayCounts, ownHost: string | null): CountView {
  const isRobot = createRobotCheck();
  return ({ method, headers, url = "" }, route, status) => {
    if (method !== "GET" || (status !== 200 && status !== 304) || !publicPaths.has(route)) return;
    if (isPrefetch(headers["sec-purpose"])) return counts.add("prefetch", route);
    if (isRobot(headers["user-agent"])) return counts.add("robot", route);
    counts.add("view", route);
    const referrer = nameReferrer(headers.referer, ownHost ?? headers.host ?? "");
    if (referrer !== null) counts.add("referrer", referrer);
    const campaign = nameCampaign(url);
    if (campaign !== null) counts.add("campaign", campaign);
  };
}

/**
 * Creates a robot check with a cache: a lookup takes two microseconds, and most visitors share a few user agents. The
 * cache is only in memory. A request without a user agent counts as a robot.
 */
function createRobotCheck(): (userAgent: string | undefined) => boolean {
  const cache = new Map<string, boolean>();
  return (userAgent) => {
    if (!userAgent) return true;
    const key = userAgent.length > maxUserAgentLength ? userAgent.slice(0, maxUserAgentLength) : userAgent;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const found = isbot(key);
    if (cache.size >= maxCached) cache.clear();
    cache.set(key, found);
    return found;
  };
}
