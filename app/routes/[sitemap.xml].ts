import { sitePages } from "~/content/site-pages";
import { getSettings } from "~/server/config/settings.server";

/** Every page that may be found, for search engines (sitemaps.org protocol 0.9). */
export function loader(): Response {
  const { siteUrl } = getSettings();
  const entries = sitePages.map(({ path }) => `  <url><loc>${siteUrl}${path}</loc></url>\n`);
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("")}</urlset>\n`,
    { headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" } },
  );
}
