import type { LoaderFunctionArgs } from "@remix-run/node";
import { company } from "~/content/company";
import { looksUnfilled } from "~/content/firm/unfilled";
import { getSite } from "~/server/default-site.server";

/** RFC 9116 recommends less than a year, so that a forgotten file is not believed for ever. */
const validForMonths = 11;

/** Where to report a weakness of this site (RFC 9116). The expiry moves with the day, so that it never needs tending. */
export function loader({ context }: LoaderFunctionArgs): Response {
  const { siteUrl } = getSite(context).settings;
  // Until the firm supplies its own address, the placeholder reaches nobody.
  const contact = looksUnfilled(company.email) ? `${siteUrl}/contact` : `mailto:${company.email}`;
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expiryOf(new Date())}`,
    "Preferred-Languages: en",
    `Canonical: ${siteUrl}/.well-known/security.txt`,
    "",
  ];
  return new Response(lines.join("\n"), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=86400" },
  });
}

/** Midnight, so that the file is the same all day. */
function expiryOf(now: Date): string {
  const expiry = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + validForMonths, now.getUTCDate());
  return new Date(expiry).toISOString().replace(".000", "");
}
