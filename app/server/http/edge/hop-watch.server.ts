import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type Cdn, findCdn } from "~/lib/http/cdn";
import { isPrivateAddress, listHops, networkKey, readHop, resolveClientAddress } from "~/lib/http/client-address";
import { type HopMismatch, createHopWarning } from "../../config/proxy-warnings.server";
import type { Settings } from "../../config/settings.server";
import type { SetupWarning } from "../../config/setup-warnings.server";
import { isProbe } from "../health-endpoints.server";

const minRequests = 10;
const minNetworks = 3;

/**
 * Checks whether `X-Forwarded-For` has as many entries as `TRUSTED_PROXIES` says, and warns once per kind of mismatch.
 *
 * Any visitor can add entries and CDN headers, or bypass the outer proxy, so one request proves nothing. A warning
 * takes {@link minRequests} consecutive requests with the same mismatch, and evidence that no single client can forge.
 * A trusted proxy wrote the address that counts as the client. This address must be private in all of the requests, or
 * the requests must come from {@link minNetworks} networks.
 *
 * Some requests are ignored; they neither extend nor end a streak:
 * - from a public peer, which cannot be a proxy next to the site;
 * - to a public IP address: only bots use one, and they bypass every CDN;
 * - probes and checks on the machine itself, which have no such header. A request without the header counts only if its
 *   `Origin` or `Referer` is a page of SITE_URL: then a proxy has dropped the address.
 * @returns function that checks one request
 */
export function createHopWatch(
  settings: Pick<Settings, "siteUrl" | "siteUrlIsExplicit" | "trustedProxies">,
  warn: (warning: SetupWarning) => void,
): (request: IncomingMessage) => void {
  const { siteUrl, siteUrlIsExplicit, trustedProxies } = settings;
  const warned = new Set<HopMismatch>();
  let streak: Streak | null = null;

  return (request) => {
    const { headers, socket, url = "" } = request;
    const hops = countHops(headers);
    const cdn = findCdn(headers);
    // Fast path for the usual request: this check also runs for pages served from memory.
    if (streak === null && cdn === null && hops === trustedProxies) return;
    const peer = socket.remoteAddress ?? "";
    if (!isPrivateAddress(peer) || usesPublicAddress(request) || isProbe(url)) return;
    if (hops === 0 && cdn === null && siteUrlIsExplicit && !isOnPageOf(siteUrl, request)) return;

    const { mismatch, client } = compareRequest(request, trustedProxies);
    streak = mismatch === null ? null : extendStreak(streak, mismatch, client);
    if (streak === null || mismatch === null || warned.has(mismatch)) return;
    if (streak.requests < minRequests || !(streak.isPrivate || streak.networks.size >= minNetworks)) return;
    warned.add(mismatch);
    warn(createHopWarning(mismatch));
  };
}

/** A request's way through proxies, compared with TRUSTED_PROXIES. */
interface ComparedRequest {
  /** entries of `X-Forwarded-For` */
  hops: number;
  mismatch: HopMismatch | null;
  /** the address that counts as the visitor's */
  client: string;
}

/** Compares one request with `TRUSTED_PROXIES`. It proves nothing by itself, unless the operator sent it. */
export function compareRequest({ headers, socket }: IncomingMessage, trustedProxies: number): ComparedRequest {
  const forwardedFor = readText(headers["x-forwarded-for"]);
  const client = resolveClientAddress(socket.remoteAddress ?? "", forwardedFor, trustedProxies);
  const hops = countHops(headers);
  const cdn = findCdn(headers);
  const isUncounted = cdn !== null && !coversCdn(cdn, headers, client, trustedProxies);
  return { hops, client, mismatch: isUncounted ? "cdn" : compareHops(hops, trustedProxies) };
}

function countHops(headers: IncomingHttpHeaders): number {
  return listHops(readText(headers["x-forwarded-for"])).length;
}

/** Consecutive requests that disagree with the setting in the same way. */
interface Streak {
  readonly mismatch: HopMismatch;
  requests: number;
  readonly networks: Set<string>;
  isPrivate: boolean;
}

function extendStreak(before: Streak | null, mismatch: HopMismatch, client: string): Streak {
  const streak =
    before?.mismatch === mismatch ? before : { mismatch, requests: 0, networks: new Set<string>(), isPrivate: true };
  streak.requests += 1;
  streak.isPrivate &&= isPrivateAddress(client);
  if (streak.networks.size < minNetworks) streak.networks.add(networkKey(client) ?? client);
  return streak;
}

function compareHops(hops: number, trustedProxies: number): HopMismatch | null {
  if (hops === trustedProxies) return null;
  if (trustedProxies === 0) return "ignored";
  return hops < trustedProxies ? "fewer" : "more";
}

/**
 * Returns true if the setting counts the CDN: the client address equals the one that the CDN reports. If the CDN
 * reports none, the setting must be at least 2: one for the CDN, one for the proxy next to the site.
 */
function coversCdn({ client }: Cdn, headers: IncomingHttpHeaders, resolved: string, trustedProxies: number): boolean {
  const seen = client === null ? null : readText(headers[client]);
  return seen === null ? trustedProxies >= 2 : readHop(seen) === resolved;
}

function usesPublicAddress({ headers }: IncomingMessage): boolean {
  const address = readHop(headers.host ?? "");
  return address !== null && !isPrivateAddress(address);
}

/** Reads `Origin` and `Referer`; curl on the machine itself sends neither. */
function isOnPageOf(siteUrl: string, { headers }: IncomingMessage): boolean {
  return headers.origin === siteUrl || headers.referer?.startsWith(`${siteUrl}/`) === true;
}

function readText(header: string | string[] | undefined): string | null {
  return typeof header === "string" ? header : null;
}
