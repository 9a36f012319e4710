/** Codes that identify a client when mail is counted. Only the web tier can compute them from the client's address. */
export interface ClientCodes {
  /** Code of an IPv4 address or an IPv6 /64. Null when the caller sends none; all such callers count as one client. */
  client: string | null;
  /** Code of an IPv6 /48. */
  network: string | null;
}

/**
 * Reads the codes in the header `x-client-code`: one, or two separated by a space. Ignores malformed values.
 *
 * Without SITE_KEY, a caller that bypasses the site can invent codes. The limits on unsigned calls, per mailbox and for
 * the whole site still apply, because they need no code.
 */
export function readClientCodes(request: Request): ClientCodes {
  const [, client = null, network = null] =
    /^([\w-]{43})(?: ([\w-]{43}))?$/.exec(request.headers.get("x-client-code") ?? "") ?? [];
  return { client, network };
}
