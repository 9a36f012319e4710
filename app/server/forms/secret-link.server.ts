import type { AppLoadContext } from "@remix-run/node";
import type { z } from "zod";
import { getSite } from "../default-site.server";
import type { RateDecision } from "../limits/rate-limit.server";
import { describeError } from "../observability/log.server";
import type { SiteContext } from "../site-context.server";
import { guardPost } from "./guard.server";
import { clientAddress } from "./request-context.server";

/** Keeps a page that a secret link opens out of every cache and every index. */
export const linkPageHeaders = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };

/**
 * The first step of a loader behind a link.
 * @returns the token in the address
 * @throws Response 404 at once for what is no token, 429 with the time to wait for a client that opened too many links
 */
export async function guardLinkVisit(request: Request, context: AppLoadContext): Promise<string> {
  const token = cleanToken(new URL(request.url).searchParams.get("token") ?? "");
  if (!tokenShape.test(token)) refuseLink();
  refuseIfTooMany(await getSite(context).limits.countVisit(clientAddress(request, context), "link"));
  return token;
}

/**
 * The first step of an action behind a link.
 * @returns the posted token, and the form
 * @throws Response as guardPost does, and 429 with the time to wait
 */
export async function guardLinkPost(
  request: Request,
  context: AppLoadContext,
): Promise<{ token: string; form: FormData }> {
  const { form, rate } = await guardPost(request, context);
  refuseIfTooMany(rate);
  const token = form.get("token");
  return { token: typeof token === "string" ? cleanToken(token) : "", form };
}

/**
 * A token without what mail programs and people copy along with its address: the full stop or bracket behind it, and marks that nobody
 * sees, wherever a program broke the line.
 */
function cleanToken(written: string): string {
  return written
    .slice(0, 400)
    .replace(/[\p{Cf}\p{Z}]/gu, "")
    .replace(/^[^\w-]+|[^\w-]+$/gu, "");
}

function refuseIfTooMany(rate: RateDecision): void {
  if (rate.allowed) return;
  const headers = { ...linkPageHeaders, "Retry-After": String(rate.retryAfterSeconds) };
  throw new Response(null, { status: 429, statusText: "Too Many Requests", headers });
}

/** As the database checks it too; some of what this keeps out, like a zero byte, no database takes at all. */
const tokenShape = /^[\w-]{43,128}$/;

/**
 * Calls a function of the database that answers a token with one row or none.
 * @param area begins the name of the event that a failure is logged as
 * @throws Response 503 when the backend is away
 */
export async function callWithToken<Row>(
  { supabase: clients, log }: SiteContext,
  area: "account" | "data-rights" | "inbox",
  name: string,
  token: string,
  row: z.ZodType<Row>,
): Promise<Row | null> {
  if (!tokenShape.test(token)) return null;
  try {
    const supabase = await clients.visitor();
    // Posted, and so not tried again, although some of them only read: projects log URLs, which must hold no token.
    const { data, error } = await supabase.rpc(name, { token });
    if (!error) return row.array().max(1).parse(data)[0] ?? null;
    log.error({ event: `${area}.link-unavailable`, code: error.code });
  } catch (error) {
    log.error({ event: `${area}.link-unavailable`, ...describeError(error) });
  }
  throw unavailableLink();
}

/** The answer to a link that cannot be looked at now. */
export function unavailableLink(): Response {
  return new Response(null, { status: 503, statusText: "Service Unavailable", headers: linkPageHeaders });
}

/** The answer to a token that opens nothing. The same 404 for unknown, expired and used tokens: it must not reveal which tokens existed. */
export function refuseLink(): never {
  throw new Response(null, { status: 404, statusText: "Not Found", headers: linkPageHeaders });
}
