import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { findCdn } from "~/lib/http/cdn";
import { listHops } from "~/lib/http/client-address";
import { isPublicName } from "~/lib/http/public-name";
import type { Settings } from "../../config/settings.server";
import { isProbe } from "../health-endpoints.server";
import { sendText } from "../send-text.server";
import type { Step } from "./exchange.server";
import { decodePath } from "./malformed-request.server";

/** Checks the host name under which a request arrived. */
export interface SiteAddress {
  /**
   * Finds the address at SITE_URL for a GET or HEAD under another public name or over plain HTTP. Returns null when the
   * request is served without a redirect.
   */
  findRedirect(request: IncomingMessage): string | null;
  /** Returns true if the request came under a public name other than SITE_URL's. */
  isElsewhere(request: IncomingMessage): boolean;
}

/** `own` is SITE_URL's. `local` names a machine: an address, or a name without a dot. `broken` is not a host. */
type HostKind = "own" | "other" | "local" | "broken";

/**
 * Creates the check for a site. A redirect loop takes the whole site down, while a missing redirect costs little. So a
 * request is served without a redirect if the visitor may have used SITE_URL's host:
 * - `Host`, or a header in which proxies keep the visitor's host, names SITE_URL's host. Behind a trusted proxy,
 *   `X-Forwarded-Host` is the host, but a common nginx snippet forwards `$server_name`, which is the same for all
 *   names.
 * - The host has no port although SITE_URL has one: nginx's `$host` drops the port. Or the host has port 80 or 443
 *   although SITE_URL has none: when TLS ends elsewhere, `$host:$server_port` has the wrong one of the two.
 * - The host may be an upstream's name. nginx sends that by default, over HTTP/1.0 (before 1.29.7) and without
 *   `X-Forwarded-*`. CDNs other than Cloudflare send their origin's name, and some send the visitor's host nowhere.
 *
 * One kind of proxy looks like a visitor: it sends a public name other than the visitor's, over HTTP/1.1, without
 * `X-Forwarded-Host`. docs/operations/proxy.md lists the settings that proxies need.
 */
export function createSiteAddress(
  settings: Pick<Settings, "siteUrl" | "siteUrlIsExplicit" | "isHttps" | "trustedProxies">,
): SiteAddress {
  const { siteUrl, siteUrlIsExplicit, isHttps, trustedProxies } = settings;
  const { host, hostname, port } = new URL(siteUrl);
  const ownHosts = new Set(port === "" ? [host, `${host}:80`, `${host}:443`] : [host, hostname]);

  let last: { host: string; kind: HostKind } = { host: "", kind: "broken" };

  function classify(written: string): HostKind {
    const name = written.trim().toLowerCase();
    if (ownHosts.has(name)) return "own";
    if (!/^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.test(name) || !URL.canParse(`http://${name}`))
      return "broken";
    return isPublicName(new URL(`http://${name}`).hostname) ? "other" : "local";
  }

  /** Remembers the last host, because a proxy sends the same name each time. */
  function classifyHost(written = ""): HostKind {
    if (written !== last.host) last = { host: written, kind: classify(written) };
    return last.kind;
  }

  function isElsewhere({ headers, httpVersion }: IncomingMessage): boolean {
    if (!siteUrlIsExplicit) return false;
    const kind = classifyHost(headers.host);
    if (kind === "own" || mentionsOwnHost(headers)) return false;
    const forwardedHost = trustedProxies > 0 ? findForwardedHost(headers, trustedProxies) : null;
    const forwardedKind = forwardedHost === null ? "broken" : classify(forwardedHost);
    if (forwardedKind !== "broken") return forwardedKind === "other";
    return kind === "other" && !mayNameUpstream(headers, httpVersion);
  }

  function mentionsOwnHost(headers: IncomingHttpHeaders): boolean {
    return originalHostHeaders.some((name) => {
      const value = headers[name];
      return typeof value === "string" && value.split(/[\s,;="]+/).some((word) => ownHosts.has(word.toLowerCase()));
    });
  }

  /** Trusts only the proxy that the visitor connected to: one behind it may report the scheme of another connection. */
  function isPlainHttp(headers: IncomingHttpHeaders): boolean {
    const scheme = headers["x-forwarded-proto"];
    if (!isHttps || trustedProxies === 0 || typeof scheme !== "string" || scheme.trim().toLowerCase() !== "http")
      return false;
    const forwardedFor = headers["x-forwarded-for"];
    return listHops(typeof forwardedFor === "string" ? forwardedFor : null).length <= 1 && !indicatesHttps(headers);
  }

  return {
    isElsewhere,
    findRedirect(request) {
      const { method, url = "" } = request;
      if (!siteUrlIsExplicit || (method !== "GET" && method !== "HEAD")) return null;
      if (!isElsewhere(request) && !isPlainHttp(request.headers)) return null;
      if (isServedUnderAnyHost(url) || decodePath(url) === null) return null;
      return siteUrl + encodeUnsafeBytes(url);
    },
  };
}

/** Redirects to SITE_URL. Caches must not store the redirect: a proxy's cache may use one key for both names. */
export function redirectToSite(siteAddress: SiteAddress): Step {
  return (exchange, next) => {
    const location = siteAddress.findRedirect(exchange.request);
    if (location === null) return next();
    exchange.route = "(redirect)";
    sendText(exchange.response, 308, "", { Location: location });
  };
}

/** Headers in which proxies keep the host that the visitor used (Apache, Caddy, Traefik; Azure's gateway; RFC 7239). */
const originalHostHeaders = ["x-forwarded-host", "x-original-host", "forwarded"];

/** Finds the entry of our outermost proxy: each proxy appends one, or replaces them all. */
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
 * Looks for another header that indicates HTTPS. Browsers send `Sec-Fetch-Site` over HTTPS only (and to localhost). So
 * it reveals a proxy that stands behind one that ends TLS, and overwrites `X-Forwarded-Proto` with its own scheme.
 */
function indicatesHttps(headers: IncomingHttpHeaders): boolean {
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

/** Exempts orchestrators and certificate authorities (RFC 8555, 8.3), which may use any name of this machine. */
function isServedUnderAnyHost(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  return isProbe(path) || path.startsWith("/.well-known/acme-challenge/");
}

/** Percent-encodes bytes that Node's parser accepts in a query but not in a header. */
function encodeUnsafeBytes(url: string): string {
  return url.replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`);
}
