import type { LoaderFunctionArgs } from "@remix-run/node";
import { getSite } from "~/server/default-site.server";

/** Serves robots.txt: the paths that crawlers must not read, and the address of the sitemap (RFC 9309). */
export function loader({ context }: LoaderFunctionArgs): Response {
  const lines = [
    "User-agent: *",
    "Disallow: /admin",
    "Disallow: /login",
    "Disallow: /logout",
    "",
    `Sitemap: ${getSite(context).settings.siteUrl}/sitemap.xml`,
    "",
  ];
  return new Response(lines.join("\n"), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
