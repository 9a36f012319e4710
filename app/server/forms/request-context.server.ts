import type { AppLoadContext } from "@remix-run/node";
import { resolveClientAddress } from "~/lib/http/client-address";
import { isSameOrigin } from "~/lib/http/same-origin";
import { getSite } from "../default-site.server";
import type { CountedPost } from "../limits/rate-limit.server";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** who this request is in the log and on an error page */
    requestId?: string;
    /** address of the socket's other end; absent under stock `remix-serve`, which does not tell */
    peerAddress?: string;
    /** set by our server, which sees the original `Origin` and `Host`; absent under stock `remix-serve` */
    isSameOrigin?: boolean;
    /** set by our server, which counts a post before it is rendered; absent if the page judges the session instead */
    countedPost?: CountedPost;
    /** renders a page that is kept for everybody: nobody has asked for it now */
    isForMemory?: boolean;
    /** what was posted, as far as a form may be large; set by our server, which reads it before the request waits for its turn */
    body?: Buffer;
    /** asks for the page that tells a visitor to come back; set only by the edge, which keeps that page */
    isBusy?: boolean;
    /** gives the request's place in the render queue to others; for an action that waits. Absent under stock `remix-serve` */
    leaveRenderQueue?: () => void;
    /** set by an action that did not do what was asked: the title of the page that says so begins with it */
    hasMistakes?: boolean;
    /** takes a rendered page, ahead of its response: as a body, it would become a stream that is read back piece by piece */
    takeDocument?: (html: string) => void;
  }
}

/** Whether this post may count as the visitor's own. */
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

/** The visitor's address, or null where nothing trustworthy tells it (stock `remix-serve` without a trusted proxy). */
export function clientAddress(request: Request, context: AppLoadContext): string | null {
  const forwardedFor = request.headers.get("x-forwarded-for");
  const { trustedProxies } = getSite(context).settings;
  if (context.peerAddress === undefined && !(trustedProxies > 0 && forwardedFor)) return null;
  return resolveClientAddress(context.peerAddress ?? "", forwardedFor, trustedProxies) || null;
}
