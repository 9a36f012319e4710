/**
 * Names that lead nowhere outside of one machine or network (RFC 6761; RFC 6762, appendix G; RFC 8375; Kubernetes): a proxy
 * passes them on as the name of its upstream.
 */
const localSuffix = /\.(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|svc)$/;

/**
 * Tells names that visitors type from those of machines: a name with a dot that is no address and not for local use.
 * @param hostname as `URL` normalizes it, without a port
 */
export function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  // The last label of a name in the DNS is never a number, so that this is an address of IPv4 (WHATWG URL, "ends in a number").
  return name.includes(".") && !name.startsWith("[") && !/(?:^|\.)\d+$/.test(name) && !localSuffix.test(name);
}
