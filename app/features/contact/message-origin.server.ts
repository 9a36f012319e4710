import { publicPaths } from "~/content/site-pages";
import { findContactOrigin } from "~/lib/pages/contact-origin";

/** Pages with links to the form. Articles count as one: a stranger could make up others. */
const pages: ReadonlySet<string> = new Set([...publicPaths, "/insights"]);

/**
 * Finds the page whose link led to the form. The form is the same for everyone, so the origin is read from the address
 * at which it was opened, which browsers send as `Referer`, or from the form's own address, which names it after a
 * mistake.
 * @returns its path; null if neither names one
 */
export function findMessageOrigin(request: Request): string | null {
  const referrer = request.headers.get("referer") ?? "";
  const formAddress = URL.canParse(referrer) ? new URL(referrer) : null;
  return (
    findContactOrigin(new URL(request.url).search, pages) ??
    (formAddress?.pathname === "/contact" ? findContactOrigin(formAddress.search, pages) : null)
  );
}
