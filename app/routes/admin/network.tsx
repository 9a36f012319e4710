import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { unlistedMetaFor } from "~/content/page-meta";
import { readNetworkQuery } from "~/features/admin/network/network-filters";
import { listMembers, membersPerPage } from "~/features/admin/network/network.server";
import { NetworkView } from "~/features/admin/network/network-view";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminHeaders, loadAdminPage, requireData } from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";

const title = "Investor network";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export function loader(args: LoaderFunctionArgs) {
  return loadAdminPage(args, async ({ client, request }) => {
    const query = readNetworkQuery(request.url);
    const list = requireData(await listMembers(client, query));
    return { list: { ...list, query, pages: Math.ceil(list.total / membersPerPage) } };
  });
}

export default function AdminNetworkPage() {
  const { list, unreadable, generatedPasswordOf } = useLoaderData<typeof loader>();
  return (
    <AdminFrame subtitle={title} area="network" generatedPasswordOf={generatedPasswordOf}>
      <NetworkView {...list} unreadable={unreadable} />
    </AdminFrame>
  );
}
