/**
 * The address of the visitor's machine, as far as it can be believed.
 *
 * Each proxy appends the address it saw to `X-Forwarded-For`; only the entries that our own proxies
 * appended are true, so they are counted from the right.
 * @param peer address of the socket's other end
 * @param forwardedFor the header as received, if any
 * @param trustedProxies how many proxies of ours stand in front (0: the header is ignored)
 */
export function findClientAddress(peer: string, forwardedFor: string | null, trustedProxies: number): string {
  if (trustedProxies === 0 || !forwardedFor) return normaliseAddress(peer);
  const hops = forwardedFor
    .split(",")
    .map((hop) => hop.trim())
    .filter(Boolean);
  const claimed = hops.at(-trustedProxies) ?? hops[0];
  return normaliseAddress(claimed ?? peer);
}

/**
 * What counts as one client for a limit: an IPv4 address, or an IPv6 /64, which is what one household or machine gets.
 * Anything that is no address is its own key, cut short.
 */
export function rateLimitKey(address: string): string {
  return address.includes(":") ? findIPv6Network(address, 64) : address.slice(0, 64);
}

/**
 * What counts as one network for a limit: an IPv6 /48, which one customer may get and which holds 65,536 clients. Null
 * for IPv4, where addresses are too few to be given out like that.
 */
export function networkKey(address: string): string | null {
  return address.includes(":") ? findIPv6Network(address, 48) : null;
}

function findIPv6Network(address: string, bits: 48 | 64): string {
  const [head = "", tail] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail?.split(":").filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right];
  return `${groups
    .slice(0, bits / 16)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":")}::/${bits}`.slice(0, 64);
}

function normaliseAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}
