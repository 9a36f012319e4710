import type { Article } from "~/content/insights/article.server";
import { formatDay } from "~/lib/dates";

/** An article in a list. */
export type ListedArticle = ReturnType<typeof listArticle>;

/** Reduces an article to what a list shows. */
export function listArticle({ slug, title, summary, date, author, kind }: Article) {
  return { path: `/insights/${slug}`, title, summary, date, day: formatDay(date), author, kind };
}
