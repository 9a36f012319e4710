import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { findCdn } from "~/lib/http/cdn";
import { listHops } from "~/lib/http/client-address";
import { isPublicName } from "~/lib/http/public-name";
import type { Settings } from "../../config/settings.server";
import { isProbe } from "../health-endpoints.server";
import { sendText } from "../send-text.server";
import type { Step } from "./exchange.server";
import { decodePath } from "./malformed-request.server";

/** Judges under which name a request came. */
export interface SiteAddress {
  /** Finds the address at SITE_URL for a GET or HEAD under another public name or over plain HTTP; null to serve it as it came. */
  findRedirect(request: IncomingMessage): string | null;
  /** Tells whether it came under a public name that is not SITE_URL's. */
  isElsewhere(request: IncomingMessage): boolean;
}

/** `own` is SITE_URL's; `local` a machine's: an address, or a name without a dot; `broken` no host at all. */
type Door = "own" | "other" | "local" | "broken";

/**
 * Makes the judgment for a site. A redirect that leads to itself takes the whole site away, and a missing one costs
 * little. So a request is served if it may have come through our own door:
 * - `Host`, or any header in which proxies keep the visitor's name, names SITE_URL's host. Behind a trusted proxy
 *   `X-Forwarded-Host` is the host, but a common nginx snippet forwards `$server_name`, the same for all names.
 * - The host has no port although SITE_URL has one: nginx's `$host` leaves it out. It has 80 or 443 although SITE_URL has
 *   none: behind TLS that ended elsewhere, `$host:$server_port` is the wrong one of the two.
 * - It may be the name of an upstream. nginx sends that by default, over HTTP/1.0 (before 1.29.7) and without
 *   `X-Forwarded-*`. CDNs other than Cloudflare send their origin's name, and some nowhere say the visitor's.
 *
 * One proxy cannot be told from a visitor: it passes on a public name that is not the visitor's, over HTTP/1.1, without
 * `X-Forwarded-Host`. docs/OPERATIONS.md says what to set.
 */
export function createSiteAddress(
  settings: Pick<Settings, "siteUrl" | "siteUrlIsExplicit" | "isHttps" | "trustedProxies">,
): SiteAddress {
  const { siteUrl, siteUrlIsExplicit, isHttps, trustedProxies } = settings;
  const { host, hostname, port } = new URL(siteUrl);
  const ownHosts = new Set(port === "" ? [host, `${host}:80`, `${host}:443`] : [host, hostname]);

  let last: { written: string; door: Door } = { written: "", door: "broken" };

  function judge(written: string): Door {
    const name = written.trim().toLowerCase();
    if (ownHosts.has(name)) return "own";
    if (!/^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.test(name) || !URL.canParse(`http://${name}`))
      return "broken";
    return isPublicName(new URL(`http://${name}`).hostname) ? "other" : "local";
  }

  /** A proxy names the same upstream each time. */
  function judgeHost(written = ""): Door {
    if (written !== last.written) last = { written, door: judge(written) };
    return last.door;
  }

  function isElsewhere({ headers, httpVersion }: IncomingMessage): boolean {
    if (!siteUrlIsExplicit) return false;
    const asked = judgeHost(headers.host);
    if (asked === "own" || mentionsOwnHost(headers)) return false;
    const named = trustedProxies > 0 ? findForwardedHost(headers, trustedProxies) : null;
    const forwarded = named === null ? "broken" : judge(named);
    if (forwarded !== "broken") return forwarded === "other";
    return asked === "other" && !mayNameUpstream(headers, httpVersion);
  }

  function mentionsOwnHost(headers: IncomingHttpHeaders): boolean {
    return originalHostHeaders.some((name) => {
      const value = headers[name];
      return typeof value === "string" && value.split(/[\s,;="]+/).some((word) => ownHosts.has(word.toLowerCase()));
    });
  }

  /** Believes only a proxy that met the visitor itself: one behind it may report the scheme of its own connection. */
  function cameByHttp(headers: IncomingHttpHeaders): boolean {
    const scheme = headers["x-forwarded-proto"];
    if (!isHttps || trustedProxies === 0 || typeof scheme !== "string" || scheme.trim().toLowerCase() !== "http")
      return false;
    const forwardedFor = headers["x-forwarded-for"];
    return listHops(typeof forwardedFor === "string" ? forwardedFor : null).length <= 1 && !saysHttps(headers);
  }

  return {
    isElsewhere,
    findRedirect(request) {
      const { method, url = "" } = request;
      if (!siteUrlIsExplicit || (method !== "GET" && method !== "HEAD")) return null;
      if (!isElsewhere(request) && !cameByHttp(request.headers)) return null;
      if (isServedAnywhere(url) || decodePath(url) === null) return null;
      return siteUrl + encodeStrangeBytes(url);
    },
  };
}

/** Redirects to SITE_URL. No cache may keep the redirect: a proxy's may hold pages of both names under one key. */
export function redirectToSite(siteAddress: SiteAddress): Step {
  return (exchange, next) => {
    const location = siteAddress.findRedirect(exchange.request);
    if (location === null) return next();
    exchange.route = "(redirect)";
    sendText(exchange.response, 308, "", { Location: location });
  };
}

/** In which proxies keep the name that the visitor asked for (Apache, Caddy, Traefik; Azure's gateway; RFC 7239). */
const originalHostHeaders = ["x-forwarded-host", "x-original-host", "forwarded"];

/** The entry of our own outermost proxy: each appends one, or replaces them all. */
function findForwardedHost(headers: IncomingHttpHeaders, trustedProxies: number): string | null {
  const written = headers["x-forwarded-host"];
  if (typeof written !== "string") return null;
  const hosts = written.split(",");
  return hosts.at(-trustedProxies) ?? hosts[0] ?? null;
}

function mayNameUpstream(headers: IncomingHttpHeaders, httpVersion: string): boolean {
  const cdn = findCdn(headers);
  if (cdn !== null) return cdn.mark !== "cf-ray";
  return httpVersion === "1.0" && !Object.keys(headers).some((name) => name.startsWith("x-forwarded-"));
}

/**
 * Looks for another header that says https. Browsers send `Sec-Fetch-Site` over https only (and to localhost), so it outs a proxy
 * behind one that ends TLS, as it overwrites `X-Forwarded-Proto` with its own scheme.
 */
function saysHttps(headers: IncomingHttpHeaders): boolean {
  return (
    headers["sec-fetch-site"] !== undefined ||
    schemeHeaders.some((name) => {
      const value = headers[name];
      return typeof value === "string" && /https|^on$|^443$/i.test(value);
    })
  );
}

const schemeHeaders = [
  "forwarded",
  "x-forwarded-ssl",
  "x-forwarded-scheme",
  "x-forwarded-port",
  "x-scheme",
  "front-end-https",
  "cf-visitor",
  "cloudfront-forwarded-proto",
];

/** Exempts orchestrators, and authorities that issue certificates (RFC 8555, 8.3): they ask by any name of this machine. */
function isServedAnywhere(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  return isProbe(path) || path.startsWith("/.well-known/acme-challenge/");
}

/** Node's parser takes some bytes in a query that no header may hold. */
function encodeStrangeBytes(url: string): string {
  return url.replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`);
}
