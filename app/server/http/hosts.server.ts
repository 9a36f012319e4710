import type { IncomingMessage } from "node:http";
import { addressOf, isPrivateAddress, listHops, networkKey, readHop } from "~/lib/http/client-address";
import { readHeader } from "~/lib/http/header-reader";
import { isSameOrigin } from "~/lib/http/same-origin";
import { createMemo } from "~/lib/memo";
import { siteVersion } from "~/lib/site-version";
import { isEchoPath } from "../config/echo-path.server";
import type { Settings } from "../config/settings.server";
import type { SiteContext } from "../site-context.server";
import { type HopMismatch, type SetupWarning, hopWarnings } from "../config/setup-warnings.server";
import { type Step, dropHeaders } from "./exchange.server";
import { isProbe } from "./health-endpoints.server";
import { sendText } from "./refusals.server";

/** More names than a site has. */
const maxHosts = 100;

/**
 * Rejects unsupported methods (405), and invalid addresses and hosts (400). With SITE_URL set, any text of host
 * characters passes, because proxies send names like `site_backend`. Without it, the host must be valid, because the
 * response may depend on it.
 */
export function refuseMalformed({ siteUrlIsExplicit }: Pick<Settings, "siteUrlIsExplicit">): Step {
  const remember = createMemo<boolean>(maxHosts);
  const isValid = (host: string) =>
    siteUrlIsExplicit ? hostCharacters.test(host) : isHost(host, /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i);
  return ({ request, response }, next) => {
    const { host = "" } = request.headers;
    if (!["GET", "HEAD", "POST"].includes(request.method ?? ""))
      sendText(response, 405, "Only GET, HEAD and POST are allowed here.\n", { Allow: "GET, HEAD, POST" });
    else if (decodePath(request.url ?? "") === null || !namesOneHost(request) || !remember(host, () => isValid(host)))
      sendText(response, 400, "The address of this request is not valid.\n");
    else next();
  };
}

/** Characters that no page path has. Browsers read a backslash as a slash, and skip tabs and line breaks. */
const forbiddenCharacter = /[\p{Cc}\\]/u;

/** Decodes the path of a URL. Returns null for a path that no page can have. */
export function decodePath(url: string): string | null {
  if (!url.startsWith("/")) return null;
  try {
    const queryStart = url.indexOf("?");
    const written = queryStart === -1 ? url : url.slice(0, queryStart);
    const path = written.includes("%") ? decodeURIComponent(written) : written;
    return forbiddenCharacter.test(path) ? null : path;
  } catch {
    return null;
  }
}

/**
 * Returns true if a request names one host (RFC 9112, 3.2). Duplicates fail: Node exposes the first `Host` and hides the
 * second, which a proxy in front may have used. Only HTTP/1.0 requests may have none.
 */
function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

/** Host characters (RFC 3986, 3.2.2 and 3.2.3); any other requires a 400 (RFC 9112, 3.2). An empty host is valid. */
const hostCharacters = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

function isHost(host: string, shape: RegExp): boolean {
  return shape.test(host) && URL.canParse(`http://${host}`);
}

/** Checks the host name under which a request arrived. */
export type SiteAddress = ReturnType<typeof createSiteAddress>;

/**
 * Creates the check for a site. A redirect loop takes the whole site down, while a missing redirect costs little. So no
 * request is redirected that may have come to SITE_URL before a proxy changed it. Headers decide only whether to
 * redirect, never where to. docs/operations/proxy.md lists the settings that proxies need.
 */
export function createSiteAddress(
  settings: Pick<Settings, "siteUrl" | "siteUrlIsExplicit" | "isHttps" | "trustedProxies">,
) {
  const { siteUrl, siteUrlIsExplicit, isHttps, trustedProxies } = settings;
  const { host, hostname, port } = new URL(siteUrl);
  // nginx's `$host` drops the port, and `$host:$server_port` has the wrong one when TLS ends elsewhere.
  const ownHosts = new Set(port === "" ? [host, `${host}:80`, `${host}:443`] : [host, hostname]);
  const isOwn = (name: string) => ownHosts.has(name.trim().toLowerCase());

  /** Returns true if the request came under a public name other than SITE_URL's. */
  function isElsewhere(request: IncomingMessage): boolean {
    if (!siteUrlIsExplicit) return false;
    // A proxy that sends its upstream's name as Host keeps the visitor's in X-Forwarded-Host.
    const hosts = [request.headers.host ?? "", ...(readHeader(request, "x-forwarded-host") ?? "").split(",")];
    if (hosts.some(isOwn)) return false;
    // CDNs other than Cloudflare send their origin's name, and some send the visitor's nowhere.
    if ((findCdn(request)?.mark ?? "cf-ray") !== "cf-ray") return false;
    return (trustedProxies > 0 ? hosts : hosts.slice(0, 1)).some(isPublicHost);
  }

  /** Returns true when the visitor used http. A proxy behind another one or a CDN knows only its own connection. */
  function isPlainHttp(request: IncomingMessage): boolean {
    const scheme = readHeader(request, "x-forwarded-proto")?.trim().toLowerCase();
    if (!isHttps || trustedProxies === 0 || scheme !== "http") return false;
    if (listHops(readHeader(request, "x-forwarded-for")).length > 1 || findCdn(request) !== null) return false;
    // Browsers send this header over https only (and to localhost).
    return request.headers["sec-fetch-site"] === undefined;
  }

  return {
    isElsewhere,
    /** Finds the address at SITE_URL for a GET or HEAD under another public name or over plain HTTP; else null. */
    findRedirect(request: IncomingMessage): string | null {
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

/**
 * Names that exist only within one machine or network (RFC 6761; RFC 6762, appendix G; RFC 8375; Kubernetes). A proxy
 * may pass them on as the name of its upstream.
 */
const localSuffix = /\.(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|svc)$/;

/** Returns true for a host that visitors may type: it has a dot, is no IP address and is not reserved for local use. */
function isPublicHost(written: string): boolean {
  const host = written.trim();
  if (!isHost(host, /^[a-z0-9._-]+(?::\d{1,5})?$/i)) return false;
  const name = new URL(`http://${host}`).hostname.replace(/\.$/, "");
  // The last label of a DNS name is never a number, so this host is an IPv4 address (WHATWG URL, "ends in a number").
  return name.includes(".") && !/(?:^|\.)\d+$/.test(name) && !localSuffix.test(name);
}

function encodeByte(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`;
}

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
    if (request.method === "POST") {
      const origin = readHeader(request, "origin");
      const hidesOrigin = siteAddress.isElsewhere(request) && (origin === null || origin === "null");
      exchange.isSameOrigin = !hidesOrigin && isSameOrigin({ get: (name) => readHeader(request, name) }, siteUrl);
    }
    dropHeaders(request, "origin", "x-forwarded-host");
    // A spoofed host never reaches a page.
    if (ownHost !== null) request.headers.host = ownHost;
    next();
  };
}

/**
 * Content delivery networks by the header that each always adds, with the header of the visitor's address as the CDN saw
 * it, unless it sends none by default: Cloudflare, Fastly, Azure Front Door, Amazon CloudFront, Akamai.
 */
const cdns = [
  { mark: "cf-ray", client: "cf-connecting-ip" },
  { mark: "fastly-ff", client: "fastly-client-ip" },
  { mark: "x-azure-ref", client: "x-azure-socketip" },
  { mark: "x-amz-cf-id", client: null },
  { mark: "akamai-origin-hop", client: null },
];

/** Finds the CDN that a request claims to have passed. Anyone can forge these headers. */
function findCdn({ headers }: IncomingMessage): (typeof cdns)[number] | null {
  for (const cdn of cdns)
    if (headers[cdn.mark] !== undefined || (cdn.client !== null && headers[cdn.client] !== undefined)) return cdn;
  return null;
}

/**
 * Tells the operator's `doctor --from-outside` how its request arrived: how many proxies it passed, whether
 * TRUSTED_PROXIES agrees, and which version and texts answered. Others get the page for unknown addresses.
 */
export function echoRequest({
  settings,
  secrets,
  digestTexts,
}: Pick<SiteContext, "settings" | "secrets" | "digestTexts">): Step {
  return (exchange, next) => {
    const { request, response } = exchange;
    if (request.method !== "GET" || !isEchoPath(() => secrets.derive("echo"), request.url ?? "")) return next();
    exchange.route = null;
    const { hops, mismatch } = compareRequest(request, settings.trustedProxies);
    const echo = { hops, mismatch, version: siteVersion, texts: digestTexts() };
    sendText(response, 200, `${JSON.stringify(echo)}\n`, {
      "Content-Type": "application/json; charset=utf-8",
    });
  };
}

const [minRequests, minNetworks] = [10, 3];

/**
 * Creates the step that compares each request with `TRUSTED_PROXIES`, and warns once per kind of mismatch. Visitors can
 * forge entries and headers, or bypass a proxy. So a warning takes {@link minRequests} consecutive requests with the
 * same mismatch, whose clients are all private or in {@link minNetworks} networks: a trusted proxy wrote these addresses.
 * Requests from a public peer, requests to a public address (bots), probes, and checks on this machine do not count.
 */
export function watchHops(
  { siteUrl, siteUrlIsExplicit, trustedProxies }: Pick<Settings, "siteUrl" | "siteUrlIsExplicit" | "trustedProxies">,
  warn: (warning: SetupWarning) => void,
): Step {
  const warned = new Set<HopMismatch>();
  let streak = startStreak(null);

  function watch(request: IncomingMessage): void {
    const { headers, socket, url = "" } = request;
    const { hops, mismatch } = compareRequest(request, trustedProxies);
    if (mismatch === streak.mismatch && (mismatch === null || warned.has(mismatch))) return;
    const address = readHop(headers.host ?? "");
    const usesPublicAddress = address !== null && !isPrivateAddress(address);
    if (!isPrivateAddress(socket.remoteAddress ?? "") || usesPublicAddress || isProbe(url)) return;
    // A request without the header counts only if it comes from a page of SITE_URL: then a proxy dropped the address.
    const isOnPage = headers.origin === siteUrl || headers.referer?.startsWith(`${siteUrl}/`) === true;
    if (hops === 0 && mismatch !== "cdn" && siteUrlIsExplicit && !isOnPage) return;
    if (streak.mismatch !== mismatch) streak = startStreak(mismatch);
    if (mismatch === null || warned.has(mismatch)) return;
    const client = addressOf(request, trustedProxies);
    streak.count += 1;
    streak.isPrivate &&= isPrivateAddress(client);
    if (streak.networks.size < minNetworks) streak.networks.add(networkKey(client) ?? client);
    if (streak.count < minRequests || !(streak.isPrivate || streak.networks.size >= minNetworks)) return;
    warned.add(mismatch);
    warn(hopWarnings[mismatch]);
  }

  return ({ request }, next) => {
    watch(request);
    next();
  };
}

function startStreak(mismatch: HopMismatch | null) {
  return { mismatch, count: 0, isPrivate: true, networks: new Set<string>() };
}

/**
 * Compares one request with `TRUSTED_PROXIES`. The setting counts a CDN if the client's address is the one that the CDN
 * reports, or is at least 2 if the CDN reports none.
 */
function compareRequest(request: IncomingMessage, trustedProxies: number) {
  const hops = listHops(readHeader(request, "x-forwarded-for")).length;
  const cdn = findCdn(request);
  const seen = cdn?.client ? readHeader(request, cdn.client) : null;
  const isCounted =
    cdn === null || (seen === null ? trustedProxies >= 2 : readHop(seen) === addressOf(request, trustedProxies));
  const byCount: HopMismatch = trustedProxies === 0 ? "ignored" : hops < trustedProxies ? "fewer" : "more";
  const mismatch: HopMismatch | null = !isCounted ? "cdn" : hops === trustedProxies ? null : byCount;
  return { hops, mismatch };
}
