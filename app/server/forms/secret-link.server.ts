import { STATUS_CODES } from "node:http";
import { type AppLoadContext, data, redirect } from "@remix-run/node";
import type { z } from "zod";
import type { MessageKey } from "~/content/messages";
import { type DatabaseCall, callDatabase } from "../backend/calls/call-function.server";
import { getSite } from "../default-site.server";
import type { RateDecision } from "../limits/rate-limit.server";
import type { SiteContext } from "../site-context.server";
import { clientAddress, guardPost } from "./guard.server";
import { readForm } from "./read-form.server";
import { keepTyped } from "./refused-post.server";

/** Headers that keep the page of a secret link out of caches and search indexes. */
export const linkPageHeaders = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };

/**
 * Checks and counts a visit by a secret link; the first step of its loader.
 * @returns the token in the address
 * @throws Response 404 immediately for a malformed token, 429 with the wait for a client that opened too many links
 */
export async function guardLinkVisit(request: Request, context: AppLoadContext): Promise<string> {
  const token = readLinkToken(request);
  if (!tokenShape.test(token)) refuseLink();
  refuseIfTooMany(await getSite(context).limits.countVisit(clientAddress(request, context), "link"));
  return token;
}

/**
 * Guards a post from the page of a secret link; the first step of its action.
 * @returns the posted token, and the form
 * @throws Response as guardPost does, and 429 with the wait
 */
export async function guardLinkPost(
  request: Request,
  context: AppLoadContext,
): Promise<{ token: string; form: FormData }> {
  const { form, rate } = await guardPost(request, context);
  try {
    refuseIfTooMany(rate);
  } catch (refusal) {
    throw keepTyped(refusal, request, form);
  }
  const token = form.get("token");
  return { token: typeof token === "string" ? cleanToken(token) : "", form };
}

/**
 * Checks a post by a mail program, which has no page, cookie or `Origin` of ours (RFC 8058, section 3.1). A forged post
 * does no harm: it needs the token, which only the mail contains, and it uses no rights of the browser that sends it.
 * Nothing is counted here, because a mail provider calls for all its users from a few addresses: count only what turns
 * out to be unknown ({@link countUnknownLink}).
 * @returns the token in the address, which may be malformed
 * @throws Response 405 unless it is a post, 415 or 400 unless it is a form with `List-Unsubscribe=One-Click`
 */
export async function guardOneClick(request: Request, context: AppLoadContext): Promise<string> {
  if (request.method !== "POST") throw createLinkRefusal(405, { Allow: "GET, HEAD, POST" });
  const form = await readForm(request, context);
  if (form.get("List-Unsubscribe") !== "One-Click") {
    const headers = { ...linkPageHeaders, "Content-Type": "text/plain; charset=utf-8" };
    throw new Response("Nothing has changed. Post List-Unsubscribe=One-Click.\n", { status: 400, headers });
  }
  return readLinkToken(request);
}

/**
 * Counts a post with an unknown token.
 * @throws Response 429 with the wait for a client that tried too many
 */
export async function countUnknownLink(request: Request, context: AppLoadContext): Promise<void> {
  refuseIfTooMany(await getSite(context).limits.countVisit(clientAddress(request, context), "link"));
}

/** Creates the response that shows the page of a secret link. */
export function showLinkPage<Shown>(shown: Shown) {
  return data(shown, { headers: linkPageHeaders });
}

/**
 * Creates the redirect to the page of a secret link.
 * @param notice shown there; `hours`: the most until a promised mail goes
 */
export function leadToLinkPage(context: AppLoadContext, address: string, notice?: MessageKey, hours?: number) {
  const target = notice === undefined ? address : getSite(context).notices.addTo(address, notice, hours);
  return redirect(target, { status: 303, headers: linkPageHeaders });
}

/** Reads the token in the address of a link. It may be malformed. */
export function readLinkToken(request: Request): string {
  return cleanToken(new URL(request.url).searchParams.get("token") ?? "");
}

/**
 * Undoes what mail programs and people do to a token: a line break inside it, quoted-printable that was not decoded
 * (`token=3D…`), and what was copied along with it, such as a full stop or a bracket.
 */
export function cleanToken(raw: string): string {
  const copied = raw.slice(0, 400).replace(/=?[\r\n]+|[\p{Cf}\p{Z}]/gu, "");
  const run = /[\w-]+/.exec(copied)?.[0] ?? "";
  const token = /^3D/i.test(run) && tokenLengths.includes(run.length - 2) ? run.slice(2) : run;
  return token.slice(
    0,
    tokenLengths.find((length) => token.length >= length),
  );
}

/** Characters of a token: 64 of a member of the network, 43 of all others. The longer come first. */
const tokenLengths = [64, 43];

/** Creates the response of the page of a secret link that is not shown. */
export function createLinkRefusal(status: number, headers?: Record<string, string>): Response {
  return new Response(null, { status, statusText: STATUS_CODES[status], headers: { ...linkPageHeaders, ...headers } });
}

function refuseIfTooMany(rate: RateDecision): void {
  if (!rate.allowed) refuseTooMany(rate.retryAfterSeconds);
}

/** Throws the response for a client that opened too many links, or asked for too many. */
export function refuseTooMany(retryAfterSeconds: number): never {
  throw createLinkRefusal(429, { "Retry-After": String(retryAfterSeconds) });
}

/** The database checks the same pattern. It keeps out characters that PostgreSQL cannot store, such as NUL. */
const tokenShape = /^[\w-]{43,128}$/;

/**
 * Calls a database function that returns one row for a valid token, and none otherwise.
 * @param area prefix of the event that logs a failure
 * @throws Response 503 when the backend is unavailable
 */
export async function callWithToken<Row>(
  site: SiteContext,
  area: LinkFunctionCall<Row>["area"],
  name: string,
  token: string,
  row: z.ZodType<Row>,
): Promise<Row | null> {
  const rows = await callLinkFunction(site, { area, name, parameters: { token }, result: row.array().max(1) });
  return rows?.[0] ?? null;
}

/** Call of a database function by the holder of a link. */
interface LinkFunctionCall<Result> extends Omit<DatabaseCall<Result>, "failure" | "parameters" | "result"> {
  /** prefix of the event that logs a failure */
  area: "account" | "data-rights" | "inbox" | "network";
  parameters: { token: string } & Record<string, unknown>;
  result: z.ZodType<Result>;
}

/**
 * Calls a database function that returns null for an invalid token.
 * @throws Response 503 when the backend is unavailable
 */
export async function callLinkFunction<Result>(
  site: SiteContext,
  { area, parameters, result, ...call }: LinkFunctionCall<Result>,
): Promise<Result | null> {
  if (!tokenShape.test(parameters.token)) return null;
  const called = await callDatabase<Result | null>(site, {
    ...call,
    failure: `${area}.link-unavailable`,
    parameters,
    result: result.nullable(),
  });
  if (called === null) throw createLinkRefusal(503);
  return called.data;
}

/**
 * Throws the response for an invalid token. Unknown, expired and long used tokens get the same 404, so that it does not
 * reveal which tokens existed.
 */
export function refuseLink(): never {
  throw createLinkRefusal(404);
}
