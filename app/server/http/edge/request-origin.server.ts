import { isSameOrigin } from "~/lib/http/same-origin";
import type { Settings } from "../../config/settings.server";
import { type Step, dropHeaders } from "./exchange.server";
import type { SiteAddress } from "./site-address.server";

/**
 * Judges whether a form that the request brings comes from our own pages ({@link isSameOrigin}), before anything changes
 * the headers. Then removes those that Remix would judge by itself: its check responds with an empty 500.
 *
 * A request may come under another public name than SITE_URL's. An `Origin` that names SITE_URL is then proof that a proxy
 * changed the name; without one, the page was another name's.
 */
export function judgeOrigin(settings: Pick<Settings, "siteUrl" | "siteUrlIsExplicit">, siteAddress: SiteAddress): Step {
  const siteUrl = settings.siteUrlIsExplicit ? settings.siteUrl : null;
  const ownHost = siteUrl === null ? null : new URL(siteUrl).host;
  return (exchange, next) => {
    const { request } = exchange;
    const header = (name: string) => {
      const value = request.headers[name];
      return typeof value === "string" ? value : null;
    };
    const origin = header("origin");
    const hidesOrigin = siteAddress.isElsewhere(request) && (origin === null || origin === "null");
    const sent = { origin, fetchSite: header("sec-fetch-site"), host: header("host") };
    exchange.isSameOrigin = !hidesOrigin && isSameOrigin(sent, siteUrl);
    dropHeaders(request, "origin", "x-forwarded-host");
    // A spoofed host never reaches a page.
    if (ownHost !== null) request.headers.host = ownHost;
    next();
  };
}
