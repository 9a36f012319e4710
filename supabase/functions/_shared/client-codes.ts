/** What one client is known by when mail is counted: codes that only the web tier can make from its address. */
export interface ClientCodes {
  /** An IPv4 address or an IPv6 /64; null where the caller names none: all such callers count as one client. */
  client: string | null;
  /** An IPv6 /48. */
  network: string | null;
}

/**
 * The codes in the header `x-client-code`, one or two with a space between; whatever else stands there counts as none.
 * Without SITE_KEY, a caller that bypasses the site can make codes up: what holds against them are the limits of
 * unsigned calls, of a mailbox and of the whole site, which need no code.
 */
export function clientCodes(request: Request): ClientCodes {
  const [, client = null, network = null] =
    /^([\w-]{43})(?: ([\w-]{43}))?$/.exec(request.headers.get("x-client-code") ?? "") ?? [];
  return { client, network };
}
