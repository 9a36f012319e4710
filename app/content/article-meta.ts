import type { MetaFunction } from "@remix-run/node";
import { pageMeta } from "~/lib/pages/page-meta";
import { article as describeArticle, breadcrumbs, structuredData } from "~/lib/pages/structured-data";
import { company } from "./company";
import { describeFirm, metaFor, readRoot } from "./page-meta";
import { pageTitle } from "./page-title";
import { insightsPage } from "./pages/insights";

/** Facts about an article for its `<head>`. */
interface ArticleFacts {
  slug: string;
  title: string;
  summary: string;
  date: string;
  author: string;
}

/** Names the feed, so that a reader finds it at the address of any page about articles. */
const feedLink = {
  tagName: "link",
  rel: "alternate",
  type: "application/atom+xml",
  href: `${insightsPage.path}/feed.xml`,
};

/** Creates the `meta` of the list of articles. Its share image is the firm's general one. */
export const insightsMeta: MetaFunction = (route) => {
  const meta = metaFor({ ...insightsPage, imagePath: "/" })(route) ?? [];
  return [...meta, feedLink];
};

/** Creates the `meta` of an article's page. Its share image is the firm's general one. */
export function articleMeta({ slug, title, summary, date, author }: ArticleFacts): MetaFunction {
  return ({ matches }) => {
    const { siteUrl } = readRoot(matches);
    const documentTitle = pageTitle(title);
    if (siteUrl === null) return [{ title: documentTitle }, { name: "description", content: summary }];
    const path = `${insightsPage.path}/${slug}`;
    const trail = breadcrumbs(siteUrl, [
      { name: "Home", path: "/" },
      { name: insightsPage.label, path: insightsPage.path },
      { name: title, path },
    ]);
    const meta = pageMeta({
      documentTitle,
      title,
      description: summary,
      path,
      imagePath: "/",
      siteUrl,
      siteName: company.name,
      structuredData: structuredData(
        describeArticle({
          siteUrl,
          path,
          headline: title,
          description: summary,
          date,
          author,
          isFirm: author === company.name,
        }),
        describeFirm(siteUrl),
        trail,
      ),
    });
    return [...meta, feedLink];
  };
}
