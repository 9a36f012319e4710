import type { IncomingMessage } from "node:http";
import { isSameOrigin } from "~/lib/http/same-origin";
import type { Settings } from "../../config/settings.server";

/**
 * Judges what the browser sent, before anything changes the headers: whether a form that this request brings comes from
 * our own pages ({@link isSameOrigin}).
 */
export function judgeOrigin(request: IncomingMessage, settings: Settings): boolean {
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === "string" ? value : null;
  };
  return isSameOrigin(
    { origin: header("origin"), fetchSite: header("sec-fetch-site"), host: header("host") },
    settings.siteUrlIsExplicit ? settings.siteUrl : null,
  );
}
