import { insightsPage } from "~/content/pages/insights";
import { Section } from "~/ui/content/section";
import { ArticleList } from "./article-list";
import type { ListedArticle } from "./shown-article";

/** The newest articles at the end of another page. Shows nothing if there are none. */
export function NewestArticles({ articles }: { articles: readonly ListedArticle[] }) {
  if (articles.length === 0) return null;
  return (
    <Section title={insightsPage.newest.title}>
      <ArticleList articles={articles} />
      <p className="mt-6">
        <a href={insightsPage.path} className="more">
          {insightsPage.newest.all}
        </a>
      </p>
    </Section>
  );
}
