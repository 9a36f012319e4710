import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/**
 * The address of the visitor's machine, as far as it can be believed.
 *
 * Each proxy appends the address it saw to `X-Forwarded-For`; only the entries that our own proxies
 * appended are true, so they are counted from the right. An entry that holds no address counts as the peer: if it were a
 * client of its own, every new text would be a new client for every limit.
 * @param peer address of the socket's other end
 * @param forwardedFor the header as received, if any
 * @param trustedProxies how many proxies of ours stand in front (0: the header is ignored)
 */
export function resolveClientAddress(peer: string, forwardedFor: string | null, trustedProxies: number): string {
  const hops = trustedProxies === 0 ? [] : listHops(forwardedFor);
  const claimed = hops.at(-trustedProxies) ?? hops[0] ?? "";
  return readHop(claimed) ?? parseAddress(peer)?.toString() ?? peer;
}

/** Finds the address of the visitor's machine for a request of Node's, as {@link resolveClientAddress} does. */
export function addressOf({ socket, headers }: IncomingMessage, trustedProxies: number): string {
  const forwardedFor = headers["x-forwarded-for"];
  const trail = typeof forwardedFor === "string" ? forwardedFor : null;
  return resolveClientAddress(socket.remoteAddress ?? "", trail, trustedProxies);
}

/** Lists the entries of `X-Forwarded-For` as written; empty ones say nothing and are left out. */
export function listHops(forwardedFor: string | null): string[] {
  return (forwardedFor ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter(Boolean);
}

/**
 * Reads one entry of `X-Forwarded-For`. Azure's gateways write `203.0.113.7:5001`, others `[2001:db8::1]:443`, a zone, quotes,
 * or the `for="[2001:db8::1]:443";proto=https` of RFC 7239.
 * @returns the bare address in its usual spelling; null for `unknown`, `_hidden` and everything else that is none
 */
export function readHop(entry: string): string | null {
  const [node = ""] = entry.slice(0, maxHopLength).split(";", 1);
  const written = node.trim().replace(/^for=/i, "").replace(/^"|"$/g, "");
  const withoutPort = /^\[([^\]]*)\](?::\w*)?$/.exec(written) ?? /^([\d.]+):\w*$/.exec(written);
  return parseAddress(withoutPort?.[1] ?? written)?.toString() ?? null;
}

/** Tells addresses that no visitor on the internet has: of this machine, a private network or a carrier's (RFC 6890). */
export function isPrivateAddress(address: string): boolean {
  const range = parseAddress(address)?.range();
  return range !== undefined && privateRanges.has(range);
}

const privateRanges = new Set(["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"]);
/** The longest address in brackets and quotes, with zone and port, and `for=` before it. */
const maxHopLength = 128;

/**
 * What counts as one client for a limit: an IPv4 address, or an IPv6 /64, which is what one household or machine gets.
 * Anything that is no address is its own key, cut short.
 */
export function rateLimitKey(address: string): string {
  const parsed = parseAddress(address);
  return parsed instanceof ipaddr.IPv6 ? networkOf(parsed, 64) : address.slice(0, maxKeyLength);
}

/**
 * What counts as one network for a limit: an IPv6 /48, which one customer may get and which holds 65,536 clients. Null
 * for IPv4, where addresses are too few to be given out like that.
 */
export function networkKey(address: string): string | null {
  const parsed = parseAddress(address);
  return parsed instanceof ipaddr.IPv6 ? networkOf(parsed, 48) : null;
}

/**
 * Names the neighborhood of an address, for sharing places: an IPv6 /48, or an IPv4 /24, in which hosts are rented by the
 * hundred. Text that is no address stands alone.
 */
export function blockKey(address: string): string {
  const parsed = parseAddress(address);
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 3).join(".")}.0/24`;
  return parsed === null ? rateLimitKey(address) : networkOf(parsed, 48);
}

/** A client among others, for sharing places. */
export interface ClientGroup {
  /** {@link rateLimitKey} */
  client: string;
  /** {@link blockKey} */
  block: string;
  /** true for IPv6, where the block is what one customer gets */
  isOneCustomer: boolean;
}

/** Finds the groups that a client shares places with. */
export function groupOfClient(address: string): ClientGroup {
  return { client: rateLimitKey(address), block: blockKey(address), isOneCustomer: networkKey(address) !== null };
}

const maxKeyLength = 64;

function networkOf(address: ipaddr.IPv6, bits: 48 | 64): string {
  const kept = bits / 16;
  return `${new ipaddr.IPv6(address.parts.map((part, index) => (index < kept ? part : 0))).toString()}/${bits}`;
}

/** Without the zone of a link-local address (RFC 4007), and with an IPv4-mapped one as IPv4; null for any other text. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [address = ""] = text.slice(0, maxKeyLength).split("%", 1);
  // The library also takes IPv4 in the forms of C (`127.1`, `0x7f000001`), which no proxy writes.
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isAddress ? ipaddr.process(address) : null;
}
