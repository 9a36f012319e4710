import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { readHeader } from "./header-reader";

/**
 * Resolves the IP address of the client, as far as it can be trusted.
 *
 * Each proxy appends the address it saw to `X-Forwarded-For`. Only the entries that our own proxies appended are
 * trustworthy, so entries are counted from the right. An entry without a valid address counts as the peer: if it were a
 * client of its own, every new text would be a new client for every limit.
 * @param peer remote address of the socket
 * @param forwardedFor the header as received, if any
 * @param trustedProxies number of our own proxies (0: the header is ignored)
 */
export function resolveClientAddress(peer: string, forwardedFor: string | null, trustedProxies: number): string {
  const hops = trustedProxies === 0 ? [] : listHops(forwardedFor);
  const claimed = hops.at(-trustedProxies) ?? hops[0] ?? "";
  return readHop(claimed) ?? parseAddress(peer)?.toString() ?? peer;
}

/** Resolves the IP address of the client for a Node request, like {@link resolveClientAddress}. */
export function addressOf(request: IncomingMessage, trustedProxies: number): string {
  const { remoteAddress = "" } = request.socket;
  return resolveClientAddress(remoteAddress, readHeader(request, "x-forwarded-for"), trustedProxies);
}

/** Lists the entries of `X-Forwarded-For` as written, without empty ones. */
export function listHops(forwardedFor: string | null): string[] {
  if (forwardedFor === null) return [];
  return forwardedFor
    .split(",")
    .map((hop) => hop.trim())
    .filter(Boolean);
}

/**
 * Parses one entry of `X-Forwarded-For`. Azure's gateways write `203.0.113.7:5001`, others `[2001:db8::1]:443`, a zone,
 * quotes, or the `for="[2001:db8::1]:443";proto=https` of RFC 7239.
 * @returns the bare address in canonical form; null for `unknown`, `_hidden` and any other text
 */
export function readHop(entry: string): string | null {
  const [node = ""] = entry.slice(0, maxHopLength).split(";", 1);
  const host = node.trim().replace(/^for=/i, "").replace(/^"|"$/g, "");
  const withoutPort = /^\[([^\]]*)\](?::\w*)?$/.exec(host) ?? /^([\d.]+):\w*$/.exec(host);
  return parseAddress(withoutPort?.[1] ?? host)?.toString() ?? null;
}

/**
 * Returns true for addresses that no visitor on the internet has: loopback, private and carrier networks (RFC 6890).
 */
export function isPrivateAddress(address: string): boolean {
  const range = parseAddress(address)?.range();
  return range !== undefined && privateRanges.has(range);
}

const privateRanges = new Set(["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"]);
/** Length of the longest address in brackets and quotes, with zone, port and leading `for=`. */
const maxHopLength = 128;

/**
 * Returns the key by which a limit counts one client: an IPv4 address, or an IPv6 /64, which is the size of one
 * household or machine. Any other text is its own key, truncated.
 */
export function rateLimitKey(address: string): string {
  const parsed = parseAddress(address);
  return parsed instanceof ipaddr.IPv6 ? networkOf(parsed, 64) : address.slice(0, maxKeyLength);
}

/**
 * Returns the key by which a limit counts one network: an IPv6 /48, which one customer may get and which holds 65,536
 * clients. Returns null for IPv4, where addresses are too scarce for that.
 */
export function networkKey(address: string): string | null {
  const parsed = parseAddress(address);
  return parsed instanceof ipaddr.IPv6 ? networkOf(parsed, 48) : null;
}

/**
 * Returns the key of an address block for sharing slots: an IPv6 /48, or an IPv4 /24, in which hosts are rented by the
 * hundred. Any other text is its own block.
 */
export function blockKey(address: string): string {
  const parsed = parseAddress(address);
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 3).join(".")}.0/24`;
  return parsed === null ? rateLimitKey(address) : networkOf(parsed, 48);
}

/** A client and its address block, for sharing slots. */
export interface ClientGroup {
  /** {@link rateLimitKey} */
  client: string;
  /** {@link blockKey} */
  block: string;
  /** true for IPv6, where one customer gets a whole block */
  isOneCustomer: boolean;
}

/** Returns the client and the block of an address, for sharing slots. */
export function findClientGroup(address: string): ClientGroup {
  return { client: rateLimitKey(address), block: blockKey(address), isOneCustomer: networkKey(address) !== null };
}

const maxKeyLength = 64;

function networkOf(address: ipaddr.IPv6, bits: 48 | 64): string {
  const kept = bits / 16;
  return `${new ipaddr.IPv6(address.parts.map((part, index) => (index < kept ? part : 0))).toString()}/${bits}`;
}

/**
 * Parses an address. Drops the zone of a link-local address (RFC 4007) and turns an IPv4-mapped address into IPv4.
 * Returns null for any other text.
 */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [address = ""] = text.slice(0, maxKeyLength).split("%", 1);
  // The library also accepts C notations of IPv4 (`127.1`, `0x7f000001`), which no proxy writes. Its own check throws
  // and catches an error for every other text.
  return isIP(address) === 0 ? null : ipaddr.process(address);
}
