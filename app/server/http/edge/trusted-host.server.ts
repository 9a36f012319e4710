import type { IncomingMessage } from "node:http";
import type { Settings } from "../../config/settings.server";

/**
 * Creates the check that a request names its host correctly (RFC 9112, 3.2), so that the response may depend on it.
 * With SITE_URL set, any text of host characters passes, because proxies send names like `site_backend`. Without it,
 * the host must be valid.
 * @returns a function that returns false when the request must be rejected with 400
 */
export function createHostCheck({ siteUrlIsExplicit }: Pick<Settings, "siteUrlIsExplicit">) {
  let lastGoodHost: string | undefined;
  return (request: IncomingMessage): boolean => {
    const { host } = request.headers;
    if (!namesOneHost(request)) return false;
    if (host !== undefined && host === lastGoodHost) return true;
    const isGood = siteUrlIsExplicit ? hostCharacters.test(host ?? "") : isHost(host);
    if (isGood) lastGoodHost = host;
    return isGood;
  };
}

/**
 * Rejects duplicates: Node exposes the first `Host` and hides the second, which a proxy in front may have used. Only
 * HTTP/1.0 requests may have none.
 */
function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

/** Host characters (RFC 3986, 3.2.2 and 3.2.3); any other requires a 400 (RFC 9112, 3.2). An empty host is valid. */
const hostCharacters = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

function isHost(host: string | undefined): boolean {
  return (
    host !== undefined && /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`)
  );
}
