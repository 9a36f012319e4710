import type { AppLoadContext } from "@remix-run/node";
import { z } from "zod";
import { dataRightsTypeWords } from "~/content/privacy/data-rights-types";
import { type RequestStateKey, statusPage } from "~/content/privacy/data-rights-links";
import { guardPost } from "~/server/forms/guard.server";
import { describeError } from "~/server/observability/log.server";
import { getSite } from "~/server/default-site.server";
import type { RateDecision } from "~/server/limits/rate-limit.server";
import { clientAddress } from "~/server/forms/request-context.server";
import type { SiteContext } from "~/server/site-context.server";

/** Keeps a page that a secret link opens out of every cache and every index. */
export const linkPageHeaders = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };

const instant = z.iso.datetime({ offset: true });

const confirmationSchema = z.object({
  reference: z.string(),
  request_type: z.enum(keysOf(dataRightsTypeWords)),
  due_on: z.iso.date(),
});

const statusSchema = confirmationSchema.extend({
  state: z.enum(keysOf(statusPage.states) as RequestStateKey[]),
  received_at: instant,
  extended_at: instant.nullable(),
  closed_at: instant.nullable(),
});

/** The request that a link would confirm; `due_on` is a day in UTC. */
export type Confirmation = z.output<typeof confirmationSchema>;

/** How far the request of a link is; instants are ISO 8601. */
export type RequestStatus = z.output<typeof statusSchema>;

/**
 * The request that a confirmation link would confirm. Changes nothing.
 * @throws Response 404 for a token that is unknown, expired, used or forged; 503 when the backend is away
 */
export async function requireConfirmation(site: SiteContext, token: string): Promise<Confirmation> {
  return (await callWithToken(site, "find_data_rights_confirmation", token, confirmationSchema)) ?? refuseLink();
}

/**
 * Confirms the request of a link, once.
 * @throws as {@link requireConfirmation}
 */
export async function confirmRequest(site: SiteContext, token: string): Promise<void> {
  if (!(await callWithToken(site, "confirm_data_rights_request", token, z.object({})))) refuseLink();
}

/**
 * How far the request of a status link is.
 * @throws as {@link requireConfirmation}
 */
export async function requireStatus(site: SiteContext, token: string): Promise<RequestStatus> {
  return (await callWithToken(site, "find_data_rights_status", token, statusSchema)) ?? refuseLink();
}

/**
 * Withdraws the request of a status link.
 * @returns false when there was nothing to withdraw: the request is closed, or the token opens nothing
 * @throws Response 503 when the backend is away
 */
export async function withdrawRequest(site: SiteContext, token: string): Promise<boolean> {
  return (await callWithToken(site, "withdraw_data_rights_request", token, z.object({}))) !== null;
}

/**
 * The first step of a loader behind a link.
 * @returns the token in the address
 * @throws Response 404 at once for what is no token, 429 with the time to wait for a client that opened too many links
 */
export async function guardLinkVisit(request: Request, context: AppLoadContext): Promise<string> {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  if (!tokenShape.test(token)) refuseLink();
  refuseIfTooMany(await getSite(context).limits.countLinkVisit(clientAddress(request, context)));
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
  return { token: typeof token === "string" ? token : "", form };
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
 * @throws Response 503 when the backend is away
 */
export async function callWithToken<Row>(
  { supabase: clients, log }: SiteContext,
  name: string,
  token: string,
  row: z.ZodType<Row>,
): Promise<Row | null> {
  if (!tokenShape.test(token)) return null;
  try {
    const supabase = await clients.visitor();
    const { data, error } = await supabase.rpc(name, { token });
    if (!error) return z.array(row).max(1).parse(data)[0] ?? null;
    log.error({ event: "data-rights.link-unavailable", code: error.code });
  } catch (error) {
    log.error({ event: "data-rights.link-unavailable", ...describeError(error) });
  }
  throw new Response(null, { status: 503, statusText: "Service Unavailable", headers: linkPageHeaders });
}

/** The answer to a token that opens nothing. The same 404 for unknown, expired and used tokens: it must not reveal which tokens existed. */
export function refuseLink(): never {
  throw new Response(null, { status: 404, statusText: "Not Found", headers: linkPageHeaders });
}

function keysOf<Key extends string>(words: Record<Key, string>): Key[] {
  return Object.keys(words) as Key[];
}
