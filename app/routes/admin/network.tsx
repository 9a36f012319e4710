import { unlistedMetaFor } from "~/content/page-meta";
import { memberStates, networkPath, readNetworkQuery } from "~/features/admin/network/network-filters";
import { listMembers, membersPerPage } from "~/features/admin/network/network.server";
import { NetworkView } from "~/features/admin/network/network-view";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { readListQuery } from "~/features/admin/shared/list-query.server";
import type { FailedSearch } from "~/features/admin/shared/search-form";
import { searchList } from "~/features/admin/shared/search-list.server";
import { adminAction, adminHeaders, adminLoader, requireData } from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";

const title = "Investor network";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export const loader = adminLoader(async ({ site, client, request }) => {
  const { searchId, search, isSearchOver } = readListQuery(site, request, "members", {
    filters: memberStates,
    searched: memberStates[0],
  });
  let query = { ...readNetworkQuery(request.url), searchId };
  let list = requireData(await listMembers(client, query, search));
  // A search opens the first state that has a match.
  const isStateChosen = new URL(request.url).searchParams.has("filter");
  const match = memberStates.find((state) => list.counts[state]);
  if (search !== null && !isStateChosen && list.total === 0 && match) {
    query = { ...query, state: match };
    list = requireData(await listMembers(client, query, search));
  }
  return {
    ...list,
    query,
    search: { filter: query.state, searchId, search, isSearchOver },
    pages: Math.ceil(list.total / membersPerPage),
  };
});

/** Starts or ends a search, whose term never appears in a URL. */
export const action = adminAction<{ failedSearch: FailedSearch }>(searchList("members", networkPath));

export default adminPage<typeof loader, typeof action>(function AdminNetworkPage({ found, refused }) {
  return (
    <AdminFrame subtitle={title} area="network" list={found.members.length > 0 ? "members" : undefined}>
      <NetworkView {...found} failedSearch={refused?.failedSearch ?? null} />
    </AdminFrame>
  );
});
