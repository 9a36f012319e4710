/**
 * Returns true if a host is always this machine: reserved loopback names and addresses (RFC 6761, RFC 6890).
 * @param host an IPv6 address in brackets, as in a URL, or without
 */
export function isLoopback(host: string): boolean {
  return /(?:^|\.)localhost$|^127(?:\.\d{1,3}){3}$|^\[?::1\]?$/i.test(host);
}
