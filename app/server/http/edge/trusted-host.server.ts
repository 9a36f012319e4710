import type { IncomingMessage } from "node:http";
import type { Settings } from "../../config/settings.server";

/**
 * Makes the check whether a request names its host as it must (RFC 9112, 3.2), so that the answer may depend on it. With a
 * canonical origin any text will do that a host may consist of, as proxies write names like `site_backend`; else it must be one.
 * @returns a function that is false when the request must get a 400
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
 * Node shows the first of two hosts and hides the other, by which a proxy in front may have judged the request. Only
 * HTTP/1.0 may name none.
 */
function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

/** RFC 3986, 3.2.2 and 3.2.3: what has others must get a 400 (RFC 9112, 3.2). An empty host is one. */
const hostCharacters = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

function isHost(host: string | undefined): boolean {
  return (
    host !== undefined && /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`)
  );
}
