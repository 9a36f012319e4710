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
  /** Finds the address at SITE_URL for a GET or HEAD under another public name or over plain HTTP; else null. */
  findRedirect(request: IncomingMessage): string | null;
  /** Returns true if the request came under a public name other than SITE_URL's. */
  isElsewhere(request: IncomingMessage): boolean;
}

/**
 * Creates the check for a site. A redirect loop takes the whole site down, while a missing redirect costs little. So no
 * request is redirected that may have come to SITE_URL before a proxy changed it. Headers decide only whether to
 * redirect, never where to. docs/operations/proxy.md lists the settings that proxies need.
 */
export function createSiteAddress(
  settings: Pick<Settings, "siteUrl" | "siteUrlIsExplicit" | "isHttps" | "trustedProxies">,
): SiteAddress {
  const { siteUrl, siteUrlIsExplicit, isHttps, trustedProxies } = settings;
  const { host, hostname, port } = new URL(siteUrl);
  // nginx's `$host` drops the port, and `$host:$server_port` has the wrong one when TLS ends elsewhere.
  const ownHosts = new Set(port === "" ? [host, `${host}:80`, `${host}:443`] : [host, hostname]);
  const isOwn = (name: string) => ownHosts.has(name.trim().toLowerCase());

  function isElsewhere({ headers }: IncomingMessage): boolean {
    // A proxy that sends its upstream's name as Host keeps the visitor's in X-Forwarded-Host.
    const hosts = [headers.host ?? "", ...readText(headers, "x-forwarded-host").split(",")];
    if (!siteUrlIsExplicit || hosts.some(isOwn)) return false;
    // CDNs other than Cloudflare send their origin's name, and some send the visitor's nowhere.
    if ((findCdn(headers)?.mark ?? "cf-ray") !== "cf-ray") return false;
    return (trustedProxies > 0 ? hosts : hosts.slice(0, 1)).some(isPublicHost);
  }

  /** Returns true when the visitor used http. A proxy behind another one or a CDN knows only its own connection. */
  function isPlainHttp({ headers }: IncomingMessage): boolean {
    const scheme = readText(headers, "x-forwarded-proto").trim().toLowerCase();
    if (!isHttps || trustedProxies === 0 || scheme !== "http") return false;
    if (listHops(readText(headers, "x-forwarded-for")).length > 1 || findCdn(headers) !== null) return false;
    // Browsers send this header over https only (and to localhost).
    return headers["sec-fetch-site"] === undefined;
  }

  return {
    isElsewhere,
    findRedirect(request) {
      const { method, url = "" } = request;
      if (!siteUrlIsExplicit || (method !== "GET" && method !== "HEAD")) return null;
      if (!isElsewhere(request) && !isPlainHttp(request)) return null;
      // Orchestrators and certificate authorities (RFC 8555, 8.3) may use any name of this machine.
      if (isProbe(url.split("?", 1)[0] ?? "") || url.startsWith("/.well-known/acme-challenge/")) return null;
      // Percent-encodes bytes that Node's parser accepts in a query but not in a header.
      return decodePath(url) === null ? null : siteUrl + url.replace(/[^\x21-\x7e]/g, encodeByte);
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

/** Returns true for a host that visitors may type, unlike an address or a name in this machine's network. */
function isPublicHost(written: string): boolean {
  const host = written.trim();
  const isHost = /^[a-z0-9._-]+(?::\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`);
  return isHost && isPublicName(new URL(`http://${host}`).hostname);
}

function readText(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value : "";
}

function encodeByte(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`;
}
