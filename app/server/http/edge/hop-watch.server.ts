import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type Cdn, findCdn } from "~/lib/http/cdn";
import { isPrivateAddress, listHops, networkKey, readHop, resolveClientAddress } from "~/lib/http/client-address";
import { type HopMisfit, warnAboutHops } from "../../config/proxy-warnings.server";
import type { Settings } from "../../config/settings.server";
import type { SetupWarning } from "../../config/setup-warnings.server";
import { isProbe } from "../health-endpoints.server";

const requestsInRow = 10;
const networksInRow = 3;

/**
 * Watches whether `X-Forwarded-For` has the entries that `TRUSTED_PROXIES` counts, and warns once for each kind of mismatch.
 *
 * Any visitor can add entries and CDN headers, and reach a proxy past the one before it, so one request proves nothing. A
 * warning takes {@link requestsInRow} requests in a row with the same mismatch, and evidence that no single stranger can
 * send. A trusted proxy wrote the address that counts as the client: it must be private in all of the requests, or they
 * must come from {@link networksInRow} networks.
 *
 * Some requests neither count nor end a row:
 * - from a public peer, which is no proxy beside the site;
 * - under a public IP address, by which only robots ask, past every CDN;
 * - probes, and checks on the machine itself. These have no such header. A request without it counts only if a browser
 *   says that it is on a page of SITE_URL: then a proxy passed no address on.
 * @returns looks at one request
 */
export function createHopWatch(
  settings: Pick<Settings, "siteUrl" | "siteUrlIsExplicit" | "trustedProxies">,
  warn: (warning: SetupWarning) => void,
): (request: IncomingMessage) => void {
  const { siteUrl, siteUrlIsExplicit, trustedProxies } = settings;
  const warned = new Set<HopMisfit>();
  let row: Row | null = null;

  return (request) => {
    const { headers, socket, url = "" } = request;
    const forwardedFor = readText(headers["x-forwarded-for"]);
    const hops = listHops(forwardedFor).length;
    const cdn = findCdn(headers);
    // The usual request, which may come for every page from memory.
    if (row === null && cdn === null && hops === trustedProxies) return;
    const peer = socket.remoteAddress ?? "";
    if (!isPrivateAddress(peer) || isUnderPublicAddress(request) || isProbe(url)) return;
    if (hops === 0 && cdn === null && siteUrlIsExplicit && !isOnPageOf(siteUrl, request)) return;

    const client = resolveClientAddress(peer, forwardedFor, trustedProxies);
    const misfit =
      cdn !== null && !coversCdn(cdn, headers, client, trustedProxies) ? "cdn" : compareHops(hops, trustedProxies);
    row = misfit === null ? null : addToRow(row, misfit, client);
    if (row === null || misfit === null || warned.has(misfit)) return;
    if (row.requests < requestsInRow || !(row.isPrivate || row.networks.size >= networksInRow)) return;
    warned.add(misfit);
    warn(warnAboutHops(misfit));
  };
}

/** Requests, one after the other, that disagree with the setting in the same way. */
interface Row {
  readonly misfit: HopMisfit;
  requests: number;
  readonly networks: Set<string>;
  isPrivate: boolean;
}

function addToRow(before: Row | null, misfit: HopMisfit, client: string): Row {
  const row =
    before?.misfit === misfit ? before : { misfit, requests: 0, networks: new Set<string>(), isPrivate: true };
  row.requests += 1;
  row.isPrivate &&= isPrivateAddress(client);
  if (row.networks.size < networksInRow) row.networks.add(networkKey(client) ?? client);
  return row;
}

function compareHops(hops: number, trustedProxies: number): HopMisfit | null {
  if (hops === trustedProxies) return null;
  if (trustedProxies === 0) return "ignored";
  return hops < trustedProxies ? "fewer" : "more";
}

/** By the CDN's own word of the visitor's address; where it gives none, it and the proxy beside the site are two. */
function coversCdn({ client }: Cdn, headers: IncomingHttpHeaders, resolved: string, trustedProxies: number): boolean {
  const seen = client === null ? null : readText(headers[client]);
  return seen === null ? trustedProxies >= 2 : readHop(seen) === resolved;
}

function isUnderPublicAddress({ headers }: IncomingMessage): boolean {
  const address = readHop(headers.host ?? "");
  return address !== null && !isPrivateAddress(address);
}

/** `Referer` and `Origin` of a page; curl on the machine itself sends neither. */
function isOnPageOf(siteUrl: string, { headers }: IncomingMessage): boolean {
  return headers.origin === siteUrl || headers.referer?.startsWith(`${siteUrl}/`) === true;
}

function readText(header: string | string[] | undefined): string | null {
  return typeof header === "string" ? header : null;
}
