import type { LoaderFunctionArgs } from "@remix-run/node";
import { writeFeed } from "~/features/insights/feed.server";
import { getSite } from "~/server/default-site.server";

/** Serves the feed of a firm's articles; there is none without an article. */
export function loader({ context }: LoaderFunctionArgs): Response {
  const { insights, settings } = getSite(context);
  const articles = insights.list();
  if (articles.length === 0) return new Response(null, { status: 404 });
  return new Response(writeFeed(articles, settings.siteUrl), {
    headers: { "Content-Type": "application/atom+xml; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
