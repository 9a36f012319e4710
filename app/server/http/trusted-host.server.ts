import type { IncomingMessage } from "node:http";
import type { Settings } from "../settings.server";

let lastGoodHost: string | undefined;

/**
 * Whether the answer may depend on the `Host` of a request. With a canonical origin it does not matter which host was
 * asked for; else it must at least be one.
 * @returns false when the request must get a 400
 */
export function isTrustedHost({ headers: { host } }: IncomingMessage, settings: Settings): boolean {
  if (settings.siteUrlIsExplicit || (host !== undefined && host === lastGoodHost)) return true;
  const isGood = isHost(host);
  if (isGood) lastGoodHost = host;
  return isGood;
}

function isHost(host: string | undefined): boolean {
  return (
    host !== undefined && /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`)
  );
}

/** Whatever a proxy or a forger sent as Host, pages know only the site's own. */
export function pretendCanonicalHost(request: IncomingMessage, siteUrl: string): void {
  request.headers.host = new URL(siteUrl).host;
  delete request.headers["x-forwarded-host"];
}
