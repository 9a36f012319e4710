import type { IncomingMessage } from "node:http";
import { isSameOrigin } from "~/lib/http/same-origin";
import type { Settings } from "../../config/settings.server";

/**
 * Judges what the browser sent, before anything changes the headers: whether a form that this request brings comes from
 * our own pages ({@link isSameOrigin}).
 * @param isElsewhere whether it came under another public name than SITE_URL's. An `Origin` that names SITE_URL is then
 *   proof that a proxy changed the name; without one, the page was another name's.
 */
export function judgeOrigin(request: IncomingMessage, settings: Settings, isElsewhere: boolean): boolean {
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === "string" ? value : null;
  };
  const origin = header("origin");
  if (isElsewhere && (origin === null || origin === "null")) return false;
  return isSameOrigin(
    { origin, fetchSite: header("sec-fetch-site"), host: header("host") },
    settings.siteUrlIsExplicit ? settings.siteUrl : null,
  );
}
