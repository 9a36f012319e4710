import type { LoaderFunctionArgs } from "@remix-run/node";
import { sitePages } from "~/content/site-pages";
import { getSite } from "~/server/default-site.server";

/** Every page that may be found, for search engines (sitemaps.org protocol 0.9). */
export function loader({ context }: LoaderFunctionArgs): Response {
  const { siteUrl } = getSite(context).settings;
  const entries = sitePages.map(({ path }) => `  <url><loc>${siteUrl}${path}</loc></url>\n`);
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("")}</urlset>\n`,
    { headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" } },
  );
}
