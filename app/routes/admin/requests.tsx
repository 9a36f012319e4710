import { unlistedMetaFor } from "~/content/page-meta";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { requestFilters } from "~/features/admin/shared/filters";
import { readListQuery } from "~/features/admin/shared/list-query.server";
import { RequestsView } from "~/features/admin/rights-requests/requests-view";
import { readRequests } from "~/features/admin/rights-requests/requests.server";
import type { FailedSearch } from "~/features/admin/shared/search-form";
import { searchList } from "~/features/admin/shared/search-list.server";
import { adminAction, adminHeaders, adminLoader, requireData } from "~/features/auth/admin-page.server";

const title = "Data rights requests";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export const loader = adminLoader(async ({ site, client, request }) => {
  const place = readListQuery(site, request, "requests", { filters: requestFilters, searched: "active" });
  const { page, counts } = requireData(await readRequests(client, place));
  const { rows, previous, next } = page;
  return { ...place, requests: rows, today: site.clock.today(), previous, next, counts };
});

/** Starts or ends a search, whose term never appears in a URL. */
export const action = adminAction<{ failedSearch: FailedSearch }>(searchList("requests", "/admin/requests"));

export default adminPage<typeof loader, typeof action>(function AdminRequestsPage({ found, refused }) {
  return (
    <AdminFrame
      subtitle={title}
      area="requests"
      list={found.requests.length > 0 ? "requests" : undefined}
      overdueRequests={found.counts.overdue}
    >
      <RequestsView {...found} failedSearch={refused?.failedSearch ?? null} />
    </AdminFrame>
  );
});
