import type { AppLoadContext } from "@remix-run/node";
import { resolveClientAddress } from "~/lib/http/client-address";
import { isSameOrigin } from "~/lib/http/same-origin";
import { getSite } from "../default-site.server";
import type { CountedPost } from "../limits/rate-limit.server";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** id of the request, in the log and on error pages */
    requestId?: string;
    /** address of the connection's peer; absent under stock `remix-serve`, which does not pass it */
    peerAddress?: string;
    /** set by our server, which sees the original `Origin` and `Host`; absent under stock `remix-serve` */
    isSameOrigin?: boolean;
    /** set by our server, which counts a post before rendering; absent if the page checks the session instead */
    countedPost?: CountedPost;
    /** true when the page is rendered for the cache, without a visitor's request */
    isForCache?: boolean;
    /** posted body, up to a form's maximum size; set by our server, which reads it before the request is queued */
    body?: Buffer;
    /** true for the page that asks visitors to try again later; set only by the edge, which caches that page */
    isBusy?: boolean;
    /** frees the request's slot in the render queue, for an action that waits; absent under stock `remix-serve` */
    leaveRenderQueue?: () => void;
    /** set by an action that rejected its input: the page's title then starts with "Error: " */
    hasMistakes?: boolean;
    /** receives a rendered page before its response: as a body, it would become a stream that is read back in pieces */
    setDocument?: (html: string) => void;
  }
}

/** Returns true if this post comes from our own pages. */
export function comesFromOurPages(request: Request, context: AppLoadContext): boolean {
  if (context.isSameOrigin !== undefined) return context.isSameOrigin;
  const { settings } = getSite(context);
  return isSameOrigin(
    {
      origin: request.headers.get("origin"),
      fetchSite: request.headers.get("sec-fetch-site"),
      host: request.headers.get("host") ?? new URL(request.url).host,
    },
    settings.siteUrlIsExplicit ? settings.siteUrl : null,
  );
}

/** Returns the client's address; null when it is unknown (stock `remix-serve` without a trusted proxy). */
export function clientAddress(request: Request, context: AppLoadContext): string | null {
  const forwardedFor = request.headers.get("x-forwarded-for");
  const { trustedProxies } = getSite(context).settings;
  if (context.peerAddress === undefined && !(trustedProxies > 0 && forwardedFor)) return null;
  return resolveClientAddress(context.peerAddress ?? "", forwardedFor, trustedProxies) || null;
}
