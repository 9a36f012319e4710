import type { AppLoadContext } from "@remix-run/node";
import { z } from "zod";
import { emailAddress } from "#supabase/functions/_shared/form-text";
import { type Message, messages } from "~/content/messages";
import { lostLinkPage as copy } from "~/content/pages/network";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { receivePublicForm } from "~/server/forms/public-form.server";
import { linkPageHeaders } from "~/server/forms/secret-link.server";
import { createAttemptLimit, requestLink } from "~/server/limits/attempt-limit.server";
import { clientCodeHeader } from "~/server/limits/rate-limit.server";
import type { SiteContext } from "~/server/site-context.server";

/** Limits requests per client. The database also limits the mails. */
const createLimit = (site: SiteContext) =>
  createAttemptLimit(site, { name: "network-link", points: 5, seconds: 60 * 60 });

const failed = (text: string): Message => ({ tone: "error", title: copy.failedTitle, text });

/**
 * Mails a member's link to the posted address, if it is in the investor network.
 * @returns as {@link receivePublicForm}; the same for known and unknown addresses
 */
export async function mailLostLink(request: Request, context: AppLoadContext) {
  return receivePublicForm(context, await guardPost(request, context), {
    schema: z.object({ email: emailAddress(255) }),
    tooMany: (wait) => failed(copy.tooMany(wait)),
    lineFull: messages.networkLineFull,
    failed: failed(copy.unavailable),
    shown: {},
    headers: linkPageHeaders,
    serve: (member, address) => requestPageLink(getSite(context), address, member),
  });
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
