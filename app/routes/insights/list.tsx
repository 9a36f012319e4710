import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { insightsMeta } from "~/content/article-meta";
import { insightsPage as page } from "~/content/pages/insights";
import { ArticleList } from "~/features/insights/article-list";
import { listArticle } from "~/features/insights/shown-article";
import { getSite } from "~/server/default-site.server";
import { CallToAction } from "~/ui/content/call-to-action";
import { Hero } from "~/ui/content/hero";
import { Section } from "~/ui/content/section";

export const meta = insightsMeta;

/** Lists what is published. Without an article there is no such page. */
export function loader({ context }: LoaderFunctionArgs) {
  const articles = getSite(context).insights.list().map(listArticle);
  if (articles.length === 0) throw new Response(null, { status: 404, statusText: "Not Found" });
  return { articles };
}

export default function InsightsPage() {
  const { articles } = useLoaderData<typeof loader>();
  const parts = [
    { title: page.articles, items: articles.filter(({ kind }) => kind === "article") },
    { title: page.examples, items: articles.filter(({ kind }) => kind === "example") },
  ].filter(({ items }) => items.length > 0);
  return (
    <>
      <Hero headline={page.title} lead={page.lead} line="whole">
        <a href={`${page.path}/feed.xml`} className="button button-quiet">
          {page.feed}
        </a>
      </Hero>
      {parts.map(({ title, items }, index) => (
        <Section key={title} title={title} tone={index === 0 ? "mist" : "paper"}>
          <ArticleList articles={items} />
        </Section>
      ))}
      <CallToAction title={page.closing.title} text={page.closing.text} primary={page.closing} />
    </>
  );
}
