import { isSameOrigin } from "~/lib/http/same-origin";
import type { Settings } from "../../config/settings.server";
import { type Step, dropHeaders } from "./exchange.server";
import type { SiteAddress } from "./site-address.server";

/**
 * Checks whether a form in the request comes from our own pages ({@link isSameOrigin}), before any step changes the
 * headers. Then removes the headers that Remix would check itself: its check responds with an empty 500.
 *
 * A request may arrive under another public name than SITE_URL's. If its `Origin` names SITE_URL, a proxy changed the
 * name. Without an `Origin`, the page was served under the other name, and the form is not ours.
 */
export function checkOrigin(settings: Pick<Settings, "siteUrl" | "siteUrlIsExplicit">, siteAddress: SiteAddress): Step {
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
