/** Returns true if a URL's host is always this machine: reserved loopback names and addresses (RFC 6761, RFC 6890). */
export function isLoopback(host: string): boolean {
  return /(?:^|\.)localhost$|^127(?:\.\d{1,3}){3}$|^\[::1\]$/i.test(host);
}
