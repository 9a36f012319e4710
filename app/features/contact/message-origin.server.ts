import { publicPaths } from "~/content/site-pages";
import { findContactOrigin } from "~/lib/pages/contact-origin";

/**
 * The page whose link led to the form that was sent. The form is the same for everybody, so it is found in the address that the form was
 * opened at, which browsers send along (`Referer`), or in that of the form itself, which names it after a mistake.
 * @returns its path; null where neither names one
 */
export function findMessageOrigin(request: Request): string | null {
  const referrer = request.headers.get("referer") ?? "";
  const opened = URL.canParse(referrer) ? new URL(referrer) : null;
  return (
    findContactOrigin(new URL(request.url).search, publicPaths) ??
    (opened?.pathname === "/contact" ? findContactOrigin(opened.search, publicPaths) : null)
  );
}
