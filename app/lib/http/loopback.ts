/** Decides whether a host of a URL is this machine itself: names and addresses that no other machine has (RFC 6761, RFC 6890). */
export function isLoopback(host: string): boolean {
  return /(?:^|\.)localhost$|^127(?:\.\d{1,3}){3}$|^\[::1\]$/i.test(host);
}
