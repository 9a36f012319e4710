import { sitePages } from "~/content/site-pages";

/**
 * Serves speculation rules: browsers prefetch a public page while the pointer is on its link (HTML, section 7.6.1).
 * Nothing else is prefetched: not the admin area, links with tokens, addresses that change something, or queries other
 * than those of links to the contact form.
 */
export function loader(): Response {
  const pages = sitePages.map(({ path }) => ({ pathname: path, search: "" }));
  const contact = { pathname: "/contact", search: "from=*" };
  const rules = { prefetch: [{ where: { href_matches: [...pages, contact] }, eagerness: "moderate" }] };
  return new Response(JSON.stringify(rules), {
    headers: { "Content-Type": "application/speculationrules+json", "Cache-Control": "public, max-age=86400" },
  });
}
