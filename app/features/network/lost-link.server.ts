import type { AppLoadContext } from "@remix-run/node";
import { z } from "zod";
import { emailAddress } from "#supabase/functions/_shared/form-text";
import { messages } from "~/content/messages";
import { lostLinkPage as copy } from "~/content/pages/network";
import { getSite } from "~/server/default-site.server";
import { askAboutAddress } from "~/server/forms/address-question.server";
import { guardPost, formatWait } from "~/server/forms/guard.server";
import { parseFields } from "~/server/forms/parse-form.server";
import { createAttemptLimit, requestLink } from "~/server/limits/attempt-limit.server";
import { clientCodeHeader } from "~/server/limits/rate-limit.server";
import type { SiteContext } from "~/server/site-context.server";
import type { LostLinkFailure } from "./lost-link-form";

/** Limits requests per client. The database also limits the mails. */
const createLimit = (site: SiteContext) =>
  createAttemptLimit(site, { name: "network-link", points: 5, seconds: 60 * 60 });

const formSchema = z.object({ email: emailAddress(255) });

/**
 * Mails a member's link to the posted address, if it is in the investor network.
 * @returns for known and unknown addresses alike the most hours until the mail goes; or the refusal with its HTTP status
 */
export async function mailLostLink(
  request: Request,
  context: AppLoadContext,
): Promise<{ hours: number } | (LostLinkFailure & { status: number; retryAfterSeconds?: number })> {
  const site = getSite(context);
  const { form, rate, address, refund } = await guardPost(request, context);
  // First, because it cuts a text that is far too long to what the page repeats.
  const parsed = parseFields(form, formSchema);
  const { text: question, asked } = askAboutAddress(form);
  const failure = { email: String(form.get("email") ?? ""), mistake: null, text: null, asked };
  const throttle = (seconds: number) => ({
    ...failure,
    status: 429,
    text: copy.tooMany(formatWait(seconds)),
    retryAfterSeconds: seconds,
  });
  if (!rate.allowed) return throttle(rate.retryAfterSeconds);
  if (!parsed.success) return { ...failure, status: 400, mistake: parsed.error.issues[0]?.message ?? "" };
  if (question !== null) return { ...failure, status: 400, mistake: question };
  const result = await requestPageLink(site, address, parsed.data);
  if (result.outcome === "sent") return { hours: result.hours };
  if (result.outcome === "throttled") return throttle(result.retryAfterSeconds);
  if (result.outcome === "line-full") return { ...failure, status: 503, text: messages.networkLineFull.text };
  await refund();
  return { ...failure, status: 503, text: copy.unavailable };
}

/**
 * Mails a member the link to their page, given their address or the token of a letter to them.
 * @param address the client's, or null if unknown
 */
export function requestPageLink(
  site: SiteContext,
  address: string | null,
  member: { email: string } | { token: string },
) {
  return requestLink(site, site.feature(createLimit), address, {
    name: "network-link",
    failure: "network.link-not-requested",
    body: member,
    headers: clientCodeHeader(site, address),
  });
}
