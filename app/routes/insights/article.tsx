import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { articleMeta } from "~/content/article-meta";
import { insightsPage } from "~/content/pages/insights";
import { ArticleView } from "~/features/insights/article-view";
import { getSite } from "~/server/default-site.server";
import { CallToAction } from "~/ui/content/call-to-action";

export const meta: MetaFunction<typeof loader> = (route) => (route.data ? articleMeta(route.data.article)(route) : []);

/** Finds a published article; one that was renamed leads on, and one that was removed is gone (RFC 9110, 15.5.11). */
export function loader({ context, params: { slug = "" } }: LoaderFunctionArgs) {
  const { insights } = getSite(context);
  const found = insights.find(slug);
  if (found?.isPublished) return { article: found.article };
  const moved = insights.findMoved(slug);
  if (moved !== undefined) throw redirect(`${insightsPage.path}/${moved}`, 308);
  throw insights.isRemoved(slug)
    ? new Response(null, { status: 410, statusText: "Gone" })
    : new Response(null, { status: 404, statusText: "Not Found" });
}

export default function ArticlePage() {
  const { article } = useLoaderData<typeof loader>();
  const { title, text, ...primary } = insightsPage.closing;
  return (
    <>
      <ArticleView article={article} />
      <CallToAction title={title} text={text} primary={primary} />
    </>
  );
}
