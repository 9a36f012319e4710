import type { AppLoadContext } from "@remix-run/node";
import { readForm } from "./read-form.server";
import { getSite } from "../default-site.server";
import { type RateDecision, findPostBucket } from "../limits/rate-limit.server";
import { refusePost } from "./refused-post.server";
import { clientAddress, comesFromOurPages } from "./request-context.server";

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
  if (!comesFromOurPages(request, context)) {
    throw await refusePost(request, context);
  }
  const form = await readForm(request, context);
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

/** Formats a wait for use after "try again in". */
export function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? "a minute" : `${minutes} minutes`;
}
