import type { AppLoadContext } from "@remix-run/node";
import { readForm } from "./read-form.server";
import { getSite } from "../default-site.server";
import { type RateDecision, nameOfPost } from "../limits/rate-limit.server";
import { refusePost } from "./refused-post.server";
import { clientAddress, comesFromOurPages } from "./request-context.server";

/** A post that may be looked at: from our own pages and of a sane size. */
export interface GuardedPost {
  form: FormData;
  /** when refused, the action answers 429 with the form filled, so it is a value and not a thrown page */
  rate: RateDecision;
  /** the visitor's address, or null where nothing trustworthy tells it */
  address: string | null;
  /** takes the post out of the count again, because the backend could not take it */
  refund(): Promise<void>;
}

/**
 * The first step of every action.
 * @throws Response 405 (not a POST), 403 (foreign origin, or another public name of the site; with what was typed), 413, 415 or 400 (see readForm)
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
  const { what, rate } = context.countedPost ?? (await countHere(address, request, context));
  const refund = () => (what === null ? Promise.resolve() : getSite(context).limits.refundPost(address, what));
  return { form, address, rate, refund };
}

/** Counts a post that the edge has not counted: under stock `remix-serve`, which has none, or because the session is judged. */
async function countHere(
  address: string | null,
  request: Request,
  context: AppLoadContext,
): Promise<{ what: string | null; rate: RateDecision }> {
  const what = nameOfPost(new URL(request.url).pathname.toLowerCase());
  return { what, rate: what === null ? { allowed: true } : await getSite(context).limits.countPost(address, what) };
}

/** In words that fit behind "try again in". */
export function waitInWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? "a minute" : `${minutes} minutes`;
}
