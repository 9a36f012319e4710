import { unlistedMetaFor } from "~/content/page-meta";
import { readNetworkQuery } from "~/features/admin/network/network-filters";
import { listMembers, membersPerPage } from "~/features/admin/network/network.server";
import { NetworkView } from "~/features/admin/network/network-view";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { adminHeaders, adminLoader, requireData } from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";

const title = "Investor network";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export const loader = adminLoader(async ({ client, request }) => {
  const query = readNetworkQuery(request.url);
  const list = requireData(await listMembers(client, query));
  return { ...list, query, pages: Math.ceil(list.total / membersPerPage) };
});

export default adminPage<typeof loader>(function AdminNetworkPage({ found }) {
  return (
    <AdminFrame subtitle={title} area="network">
      <NetworkView {...found} />
    </AdminFrame>
  );
});
