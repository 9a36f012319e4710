import type { SiteContext } from "~/server/site-context.server";
import { listArticle } from "./shown-article";

const most = 3;

/**
 * Finds the newest articles for a page.
 * @param audience name of an audience page, which shows the articles that name it; the home page shows all
 */
export function findNewest({ insights }: Pick<SiteContext, "insights">, audience?: string) {
  return insights
    .list()
    .filter((article) => audience === undefined || article.audience === audience)
    .slice(0, most)
    .map(listArticle);
}
