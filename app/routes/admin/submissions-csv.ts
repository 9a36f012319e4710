import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { listUrl } from "~/features/admin/shared/filters";
import { readInboxPlace } from "~/features/admin/inbox/inbox-place.server";
import { createCsvResponse, findCsvSeparator } from "~/features/admin/shared/csv.server";
import { writeSubmissionsCsv } from "~/features/admin/inbox/submissions-csv.server";
import { readAllSubmissions } from "~/features/admin/inbox/submissions.server";
import { requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { badRequest, createResponses, receiveAdminPost } from "~/features/auth/admin-page.server";
import { requireAdmin } from "~/features/auth/require-admin.server";
import { getSite } from "~/server/default-site.server";

/** A long list takes longer than a page is allowed to. */
const timeoutMs = 120_000;

/** Redirects a GET to the list, which has the download buttons. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  const { setCookies } = await requireAdmin(site, request);
  const address = listUrl("/admin", { ...readInboxPlace(site, request), cursor: null });
  return redirect(address, { status: 303, headers: createAdminHeaders(setCookies) });
}

/** Downloads the messages of the current filter and search as a file. A POST, because every download is logged. */
export async function action(args: ActionFunctionArgs) {
  const { request, context, site, form, admin } = await receiveAdminPost(args, timeoutMs);
  const { client, setCookies } = admin;
  const separator = findCsvSeparator(form);
  if (separator === undefined) throw badRequest();
  const place = readInboxPlace(site, request);
  requireRecent(admin, listUrl("/admin", { ...place, cursor: null }));
  // The search has expired: never download the full list instead of its results.
  if (place.isSearchOver) return createResponses(context, setCookies).leadTo("/admin");
  const submissions = readAllSubmissions(client, place);
  const { timeZone } = site.settings.replyClock;
  const file = writeSubmissionsCsv(submissions, { separator, timeZone, unreadable: client.unreadable });
  return createCsvResponse(`submissions-${place.filter}`, file, createAdminHeaders(setCookies));
}
