import { type AppLoadContext, data } from "@remix-run/node";
import type { Message } from "~/content/messages";
import { resolveClientAddress } from "~/lib/http/client-address";
import { isSameOrigin } from "~/lib/http/same-origin";
import { getSite } from "../default-site.server";
import { type CountedPost, type RateDecision, findPostBucket } from "../limits/rate-limit.server";
import { takeSuggestedAddress } from "./address-question.server";
import { readForm } from "./read-form.server";
import { refusePost } from "./refused-post.server";

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
    /** set by an action whose page asks something: the title of that page */
    question?: string;
  }
}

/** A post that passed the guard: from our own pages, and not too large. */
export interface GuardedPost {
  form: FormData;
  /** A value, not a thrown page: after a refusal, the action responds with 429 and the filled form. */
  rate: RateDecision;
  /** The client's address; null when it is unknown. */
  address: string | null;
  /** Removes the post from the count, for when the backend could not accept it. */
  refund(): Promise<void>;
}

/**
 * Checks, reads and counts a post; the first step of every action.
 * @throws Response 405 (not a POST), 403 with the typed text (foreign origin, or another public name of the site), 413,
 *   415 or 400 (see readForm)
 */
export async function guardPost(request: Request, context: AppLoadContext): Promise<GuardedPost> {
  if (request.method !== "POST") {
    throw new Response("Only GET and POST are allowed here.", {
      status: 405,
      statusText: "Method Not Allowed",
      headers: { Allow: "GET, HEAD, POST" },
    });
  }
  const { siteUrl, siteUrlIsExplicit } = getSite(context).settings;
  if (!(context.isSameOrigin ?? isSameOrigin(request.headers, siteUrlIsExplicit ? siteUrl : null)))
    throw await refusePost(request, context);
  const form = await readForm(request, context);
  takeSuggestedAddress(form);
  const address = clientAddress(request, context);
  const { bucket, rate } = context.countedPost ?? (await countPost(address, request, context));
  const refund = () => (bucket === null ? Promise.resolve() : getSite(context).limits.refundPost(address, bucket));
  return { form, address, rate, refund };
}

/**
 * Counts a post under stock `remix-serve`, which has no edge to count it. Posts that need a session are not counted.
 */
async function countPost(
  address: string | null,
  request: Request,
  context: AppLoadContext,
): Promise<{ bucket: string | null; rate: RateDecision }> {
  const bucket = findPostBucket(new URL(request.url).pathname.toLowerCase());
  return {
    bucket,
    rate: bucket === null ? { allowed: true } : await getSite(context).limits.countPost(address, bucket),
  };
}

/** Returns the client's address; null when it is unknown (stock `remix-serve` without a trusted proxy). */
export function clientAddress(request: Request, context: AppLoadContext): string | null {
  const forwardedFor = request.headers.get("x-forwarded-for");
  const { trustedProxies } = getSite(context).settings;
  if (context.peerAddress === undefined && !(trustedProxies > 0 && forwardedFor)) return null;
  return resolveClientAddress(context.peerAddress ?? "", forwardedFor, trustedProxies) || null;
}

/**
 * Creates the function with which an action refuses a post: the page with the filled form (conform's reply).
 * @param shown what the page shows besides
 * @param always headers of every refusal
 */
export function createFormRefusal<Errors, Result, Shown extends object>(
  context: AppLoadContext,
  submission: { reply(errors?: Errors): Result },
  shown: Shown,
  always: Record<string, string> = {},
) {
  return (status: number, errors?: Errors, message: Message | null = null, more: Record<string, string> = {}) => {
    context.hasMistakes = true;
    const page = { result: submission.reply(errors), message, ...shown };
    return data(page, { status, headers: { ...always, ...more } });
  };
}

/** Formats a wait for use after "try again in". */
export function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? "a minute" : `${minutes} minutes`;
}
