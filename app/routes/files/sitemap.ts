import type { LoaderFunctionArgs } from "@remix-run/node";
import { sitePages } from "~/content/site-pages";
import { createLegalDocuments } from "~/features/legal/legal-documents.server";
import { getSite } from "~/server/default-site.server";

/** Serves the sitemap: every page that search engines may index (sitemaps.org protocol 0.9). */
export function loader({ context }: LoaderFunctionArgs): Response {
  const site = getSite(context);
  // Only legal texts and articles record when they last changed; any date for other pages would be a guess.
  const changed = new Map(
    Object.values(site.feature(createLegalDocuments)).map(({ path, lastUpdated }) => [path, lastUpdated.iso]),
  );
  for (const { slug, date } of site.insights.list()) changed.set(`/insights/${slug}`, date);
  const entries = [...sitePages, ...site.insights.listPaths()].map(({ path }) => {
    const day = changed.get(path);
    const lastmod = day === undefined ? "" : `<lastmod>${day}</lastmod>`;
    return `  <url><loc>${site.settings.siteUrl}${path}</loc>${lastmod}</url>\n`;
  });
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("")}</urlset>\n`,
    { headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" } },
  );
}
