import { join } from "node:path";
import type { Article } from "~/content/insights/article.server";
import { type FoundInsights, createInsightsReader } from "~/content/insights/insights-folder.server";
import type { LocalClock } from "~/lib/local-clock";
import { watchFolder } from "./folder-watch.server";
import type { OwnTextsDependencies } from "./words.server";

/** A firm's articles, as this process shows them. */
export type Insights = ReturnType<typeof createInsights>;

const nothing: FoundInsights = { articles: [], moved: new Map(), removed: new Set(), mistakes: [] };

/** Creates the reader of a firm's articles. An article with a mistake stays as it was; all others are shown. */
export function createInsights({
  settings: { dataDir },
  log,
  timeouts,
  clock: { today },
}: OwnTextsDependencies & { clock: Pick<LocalClock, "today"> }) {
  const folder = join(dataDir, "insights");
  const read = createInsightsReader(folder);
  let found = nothing;
  const { start, listMistakes } = watchFolder({
    name: "insights",
    folder,
    inner: ["images"],
    log,
    everyMs: timeouts.ownTexts,
    take(marks) {
      found = read(marks);
      return { mistakes: found.mistakes, count: found.articles.length };
    },
  });
  const isShown = ({ draft, date }: Article) => !draft && date <= today();
  const list = () => found.articles.filter(isShown);
  const paths = () => new Set(list().map(({ slug }) => `/insights/${slug}`));
  return {
    folder,
    start,
    listMistakes,
    /** Lists what is published today in the firm's time zone, newest first. */
    list,
    /** Lists the paths of the published pages, each with its route pattern. */
    listPaths: () => {
      const articles = [...paths()].map((path) => ({ path, route: "/insights/:slug" }));
      return articles.length === 0 ? [] : [{ path: "/insights", route: "/insights" }, ...articles];
    },
    /** Tells whether a path is a published article's or, with one, the list's. */
    isPublished: (path: string) => (path === "/insights" ? list().length > 0 : paths().has(path)),
    /** Finds an article, published or not. */
    find(slug: string) {
      const article = found.articles.find((each) => each.slug === slug);
      return article && { article, isPublished: isShown(article) };
    },
    /** Finds the published article that took an address over; undefined if none did. */
    findMoved(slug: string) {
      const moved = found.moved.get(slug);
      return list().some((each) => each.slug === moved) ? moved : undefined;
    },
    isRemoved: (slug: string) => found.removed.has(slug),
  };
}
