import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { z } from "zod";
import { networkStopText } from "~/content/pages/network-stop";
import { networkAddress } from "~/features/network/network-address";
import { getSite } from "~/server/default-site.server";
import { callLinkFunction, guardOneClick, linkPageHeaders, readLinkToken } from "~/server/forms/secret-link.server";

/** Leads people who open the address to their page, because email scanners follow links. */
export function loader({ request }: LoaderFunctionArgs) {
  return redirect(networkAddress(readLinkToken(request)), { status: 303, headers: linkPageHeaders });
}

/**
 * Stops all mail to a member, for a mail program's own button (RFC 8058). The response does not reveal which tokens
 * exist.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const token = await guardOneClick(request, context);
  const call = { area: "network", name: "unsubscribe_member", parameters: { token }, result: z.boolean() } as const;
  await callLinkFunction(getSite(context), call);
  return new Response(networkStopText, {
    headers: { ...linkPageHeaders, "Content-Type": "text/plain; charset=utf-8" },
  });
}
