import { unlistedMetaFor } from "~/content/page-meta";
import { insightsPage } from "~/content/pages/insights";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { adminHeaders, adminLoader } from "~/features/auth/admin-page.server";
import { ArticleView } from "~/features/insights/article-view";
import { adminAreaHandle } from "~/lib/pages/admin-area";

export const meta = unlistedMetaFor({ title: insightsPage.label });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

/** Shows an admin an article that is not published yet. */
export const loader = adminLoader(async ({ site, params: { slug = "" } }) => {
  const found = site.insights.find(slug);
  if (found === undefined) throw new Response(null, { status: 404, statusText: "Not Found" });
  return { article: found.article };
});

export default adminPage<typeof loader>(function InsightPage({ found: { article } }) {
  return (
    <AdminFrame subtitle={insightsPage.label} area="submissions">
      <ArticleView article={article} />
    </AdminFrame>
  );
});
