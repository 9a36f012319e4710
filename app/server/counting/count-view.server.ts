import { isbot } from "isbot";
import { publicPaths } from "~/content/site-pages";
import { isPrefetch } from "~/lib/http/prefetch";
import type { CountView } from "../observability/track-request.server";
import type { DayCounts } from "./day-counts.server";
import { nameCampaign, nameReferrer } from "./traffic-sources.server";

/** Browsers send fewer characters; of more, the first ones tell. */
const maxUserAgentLength = 300;
/** User agents of which is known whether they are robots; more than are in use at a time. */
const maxCached = 500;

/**
 * Makes what counts views of the site's own pages, whether they come from memory or were rendered. Nothing of the request is kept
 * but the name of its page and, within limits, where its visitor came from.
 * @param ownHost of this site, with its port, where the operator has set it; else each request's host counts
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
 * Looking a user agent up takes two microseconds, and most visitors have one of a few: what was found is remembered, in memory only.
 * Whoever says nothing is a program.
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
