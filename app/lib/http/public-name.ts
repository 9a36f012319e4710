/**
 * Names that exist only within one machine or network (RFC 6761; RFC 6762, appendix G; RFC 8375; Kubernetes). A proxy
 * may pass them on as the name of its upstream.
 */
const localSuffix = /\.(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|svc)$/;

/**
 * Returns true for a name that visitors may type: it has a dot, is no IP address and is not reserved for local use.
 * @param hostname as `URL` normalizes it, without a port
 */
export function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  // The last label of a DNS name is never a number, so this host is an IPv4 address (WHATWG URL, "ends in a number").
  return name.includes(".") && !name.startsWith("[") && !/(?:^|\.)\d+$/.test(name) && !localSuffix.test(name);
}
