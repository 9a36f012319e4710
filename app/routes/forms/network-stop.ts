import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { networkStopText } from "~/content/pages/network-mail";
import { stopMail } from "~/features/network/membership.server";
import { linkAddress } from "~/lib/pages/link-address";
import { getSite } from "~/server/default-site.server";
import {
  countUnknownLink,
  guardOneClick,
  leadToLinkPage,
  linkPageHeaders,
  readLinkToken,
} from "~/server/forms/secret-link.server";

/** Leads people who open the address to the page with the button, because email scanners follow links. */
export function loader({ request, context }: LoaderFunctionArgs) {
  return leadToLinkPage(context, linkAddress("/network/mail", readLinkToken(request)));
}

/**
 * Stops all mail to a member, for a mail program's own button (RFC 8058), from any address and any number of times. The
 * response does not reveal which tokens exist.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const token = await guardOneClick(request, context);
  if (!(await stopMail(getSite(context), token))) await countUnknownLink(request, context);
  return new Response(networkStopText, {
    headers: { ...linkPageHeaders, "Content-Type": "text/plain; charset=utf-8" },
  });
}
