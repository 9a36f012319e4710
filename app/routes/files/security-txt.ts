import type { LoaderFunctionArgs } from "@remix-run/node";
import { company } from "~/content/company";
import { looksUnfilled } from "~/content/firm/unfilled";
import { getSite } from "~/server/default-site.server";

/** RFC 9116 recommends less than a year, so that an outdated file is not trusted indefinitely. */
const validForMonths = 11;

/**
 * Serves security.txt: where to report a vulnerability of this site (RFC 9116). The expiry moves with the date, so it
 * never needs maintenance.
 */
export function loader({ context }: LoaderFunctionArgs): Response {
  const { clock, settings } = getSite(context);
  const { siteUrl } = settings;
  // Names the contact form until the firm supplies its own address, because email to the placeholder cannot be
  // delivered.
  const contact = looksUnfilled(company.email) ? `${siteUrl}/contact` : `mailto:${company.email}`;
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expiryOf(clock.today())}`,
    "Preferred-Languages: en",
    `Canonical: ${siteUrl}/.well-known/security.txt`,
    "",
  ];
  return new Response(lines.join("\n"), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=86400" },
  });
}

/** Returns midnight, so that the file is the same all day. */
function expiryOf(today: string): string {
  const expiry = new Date(today);
  expiry.setUTCMonth(expiry.getUTCMonth() + validForMonths);
  return expiry.toISOString().replace(".000", "");
}
