import { type LoaderFunctionArgs, data } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { unlistedMetaFor } from "~/content/page-meta";
import { readNetworkQuery } from "~/features/admin/network/network-filters";
import { listMembers, membersPerPage } from "~/features/admin/network/network.server";
import { NetworkView } from "~/features/admin/network/network-view";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { getSite } from "~/server/default-site.server";

const title = "Investor network";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(getSite(context), request);
  const query = readNetworkQuery(request.url);
  const list = await listMembers(client, query);
  if (!list.ok) throw new Response(null, { status: list.status });
  const pages = Math.ceil(list.data.total / membersPerPage);
  return data(
    { list: { ...list.data, unreadable: client.unreadable, query, pages }, generatedPasswordOf },
    { headers: createAdminHeaders(setCookies) },
  );
}

export default function AdminNetworkPage() {
  const { list, generatedPasswordOf } = useLoaderData<typeof loader>();
  return (
    <AdminFrame subtitle={title} area="network" overdueRequests={null} generatedPasswordOf={generatedPasswordOf}>
      <NetworkView {...list} />
    </AdminFrame>
  );
}
