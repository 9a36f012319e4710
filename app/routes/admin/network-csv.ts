import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { writeNetworkCsv } from "~/features/admin/network/network-csv.server";
import { networkUrl, readNetworkQuery } from "~/features/admin/network/network-filters";
import { exportMembers } from "~/features/admin/network/network.server";
import { createCsvResponse, findCsvSeparator } from "~/features/admin/shared/csv.server";
import { findSearch } from "~/features/admin/shared/search-term.server";
import { requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { badRequest, receiveAdminPost, requireData } from "~/features/auth/admin-page.server";
import { requireAdmin } from "~/features/auth/require-admin.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { getSite } from "~/server/default-site.server";

/** A long list takes longer than a page is allowed to. */
const timeoutMs = 120_000;

/** Redirects a GET to the list, which has the download buttons. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { setCookies } = await requireAdmin(getSite(context), request);
  return redirect(networkUrl(readNetworkQuery(request.url)), { status: 303, headers: createAdminHeaders(setCookies) });
}

/** Downloads the members of the current filters as a file. A POST, because every download is logged. */
export async function action(args: ActionFunctionArgs) {
  const { request, site, form, admin } = await receiveAdminPost(args, timeoutMs);
  const separator = findCsvSeparator(form);
  if (separator === undefined) throw badRequest();
  const query = readNetworkQuery(request.url);
  requireRecent(admin, networkUrl(query));
  const search = findSearch(site, request, "members");
  const members = requireData(await exportMembers(admin.client, query, search?.words ?? null));
  const { timeZone } = site.settings.replyClock;
  const file = writeNetworkCsv(members, { separator, timeZone, unreadable: admin.client.unreadable });
  return createCsvResponse(`investor-network-${query.state}`, file, createAdminHeaders(admin.setCookies));
}
