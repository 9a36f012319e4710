import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  createReadableStreamFromReadable,
  redirect,
} from "@remix-run/node";
import { writeNetworkCsv } from "~/features/admin/network/network-csv.server";
import { networkUrl, readNetworkQuery } from "~/features/admin/network/network-filters";
import { exportMembers } from "~/features/admin/network/network.server";
import { findCsvSeparator } from "~/features/admin/shared/csv.server";
import { requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";

/** A long list takes longer than a page is allowed to. */
const timeoutMs = 120_000;

/** Redirects a GET to the list, which has the download buttons. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { setCookies } = await requireAdminOr503(getSite(context), request);
  return redirect(networkUrl(readNetworkQuery(request.url)), { status: 303, headers: createAdminHeaders(setCookies) });
}

/** Downloads the members of the current filters as a file. A POST, because every download is logged. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const admin = await requireAdminOr503(site, request, timeoutMs);
  const separator = findCsvSeparator(form);
  if (separator === undefined) throw new Response(null, { status: 400, statusText: "Bad Request" });
  const query = readNetworkQuery(request.url);
  requireRecent(admin, networkUrl(query));
  const members = await exportMembers(admin.client, query);
  if (!members.ok) throw new Response(null, { status: members.status });
  const headers = createAdminHeaders(admin.setCookies);
  headers.set("Content-Type", "text/csv; charset=utf-8; header=present");
  headers.set("Content-Disposition", `attachment; filename="investor-network-${query.state}.csv"`);
  const { timeZone } = site.settings.replyClock;
  const file = writeNetworkCsv(members.data, { separator, timeZone, unreadable: admin.client.unreadable });
  return new Response(createReadableStreamFromReadable(file), { headers });
}
