import type { IncomingMessage } from "node:http";
import { findCdn } from "~/lib/http/cdn";
import { isPrivateAddress, listHops, networkKey, readHop, resolveClientAddress } from "~/lib/http/client-address";
import { type HopMismatch, createHopWarning } from "../../config/proxy-warnings.server";
import type { Settings } from "../../config/settings.server";
import type { SetupWarning } from "../../config/setup-warnings.server";
import { isProbe } from "../health-endpoints.server";

const [minRequests, minNetworks] = [10, 3];

/**
 * Creates a function that compares each request with `TRUSTED_PROXIES`, and warns once per kind of mismatch. Visitors
 * can forge entries and headers, or bypass a proxy. So a warning takes {@link minRequests} consecutive requests with the
 * same mismatch, whose clients are all private or in {@link minNetworks} networks: a trusted proxy wrote these addresses.
 * Requests from a public peer, requests to a public address (bots), probes, and checks on this machine do not count.
 */
export function createHopWatch(
  { siteUrl, siteUrlIsExplicit, trustedProxies }: Pick<Settings, "siteUrl" | "siteUrlIsExplicit" | "trustedProxies">,
  warn: (warning: SetupWarning) => void,
): (request: IncomingMessage) => void {
  const warned = new Set<HopMismatch>();
  let streak = startStreak(null);
  return (request) => {
    const { headers, socket, url = "" } = request;
    const { hops, mismatch, client } = compareRequest(request, trustedProxies);
    if (mismatch === streak.mismatch && (mismatch === null || warned.has(mismatch))) return;
    const address = readHop(headers.host ?? "");
    const usesPublicAddress = address !== null && !isPrivateAddress(address);
    if (!isPrivateAddress(socket.remoteAddress ?? "") || usesPublicAddress || isProbe(url)) return;
    // A request without the header counts only if it comes from a page of SITE_URL: then a proxy dropped the address.
    const isOnPage = headers.origin === siteUrl || headers.referer?.startsWith(`${siteUrl}/`) === true;
    if (hops === 0 && mismatch !== "cdn" && siteUrlIsExplicit && !isOnPage) return;
    if (streak.mismatch !== mismatch) streak = startStreak(mismatch);
    if (mismatch === null || warned.has(mismatch)) return;
    streak.count += 1;
    streak.isPrivate &&= isPrivateAddress(client);
    if (streak.networks.size < minNetworks) streak.networks.add(networkKey(client) ?? client);
    if (streak.count < minRequests || !(streak.isPrivate || streak.networks.size >= minNetworks)) return;
    warned.add(mismatch);
    warn(createHopWarning(mismatch));
  };
}

function startStreak(mismatch: HopMismatch | null) {
  return { mismatch, count: 0, isPrivate: true, networks: new Set<string>() };
}

/**
 * Compares one request with `TRUSTED_PROXIES`. The setting counts a CDN if the client's address is the one that the CDN
 * reports, or is at least 2 if the CDN reports none.
 */
export function compareRequest({ headers, socket }: IncomingMessage, trustedProxies: number) {
  const readText = (name: string) => (typeof headers[name] === "string" ? headers[name] : null);
  const hops = listHops(readText("x-forwarded-for")).length;
  const client = resolveClientAddress(socket.remoteAddress ?? "", readText("x-forwarded-for"), trustedProxies);
  const cdn = findCdn(headers);
  const seen = cdn?.client ? readText(cdn.client) : null;
  const isCounted = cdn === null || (seen === null ? trustedProxies >= 2 : readHop(seen) === client);
  const byCount: HopMismatch = trustedProxies === 0 ? "ignored" : hops < trustedProxies ? "fewer" : "more";
  const mismatch: HopMismatch | null = !isCounted ? "cdn" : hops === trustedProxies ? null : byCount;
  return { hops, client, mismatch };
}
