import { sitePages } from "~/content/site-pages";

/**
 * Lets browsers fetch a public page while a pointer rests on its link (HTML, section 7.6.1). What is not named is never
 * fetched so: the admin area, links with tokens, addresses that change something, any query but that of links to the
 * contact form.
 */
export function loader(): Response {
  const pages = sitePages.map(({ path }) => ({ pathname: path, search: "" }));
  const contact = { pathname: "/contact", search: "from=*" };
  const rules = { prefetch: [{ where: { href_matches: [...pages, contact] }, eagerness: "moderate" }] };
  return new Response(JSON.stringify(rules), {
    headers: { "Content-Type": "application/speculationrules+json", "Cache-Control": "public, max-age=86400" },
  });
}
