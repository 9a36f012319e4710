import { type ActionFunctionArgs, type LoaderFunctionArgs, data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { fallbackTexts, messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { requestFilters } from "~/features/admin/shared/filters";
import { readListQuery } from "~/features/admin/shared/list-query.server";
import { RequestsView } from "~/features/admin/rights-requests/requests-view";
import { readRequests } from "~/features/admin/rights-requests/requests.server";
import { findFailedSearch, storeSearch, searchTermSchema } from "~/features/admin/shared/search-term.server";
import { adminHeaders, receiveAdminPost } from "~/features/auth/admin-page.server";
import { requireAdmin } from "~/features/auth/require-admin.server";
import { AdminUnavailable } from "~/features/auth/signed-in.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { Notice } from "~/ui/frame/notice";
import { getSite } from "~/server/default-site.server";

const title = "Data rights requests";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

const failure = { tone: "error", title: messageTitles.adminFailed, text: fallbackTexts.adminFailed } as const;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  try {
    const { client, setCookies, generatedPasswordOf } = await requireAdmin(site, request);
    const place = readListQuery(site.cookies, request, "requests", { filters: requestFilters, searched: "active" });
    const requests = await readRequests(client, place);
    if (!requests.ok)
      return data(
        { list: null, overdue: null, generatedPasswordOf },
        { status: 503, headers: createAdminHeaders(setCookies) },
      );
    const { page, counts } = requests.data;
    const { rows, previous, next } = page;
    const list = {
      ...place,
      requests: rows,
      unreadable: client.unreadable,
      today: site.clock.today(),
      previous,
      next,
      counts,
    };
    return data({ list, overdue: counts.overdue, generatedPasswordOf }, { headers: createAdminHeaders(setCookies) });
  } catch (error) {
    if (!(error instanceof AdminUnavailable)) throw error;
    return data(
      { list: null, overdue: null, generatedPasswordOf: null },
      { status: 503, headers: createAdminHeaders([]) },
    );
  }
}

/** Starts or ends a search. The term may be a person's name, so it never appears in a URL. */
export async function action(args: ActionFunctionArgs) {
  const { request, site, form, show, leadTo } = await receiveAdminPost(args);
  const submission = parseForm(form, z.object({ search: searchTermSchema }));
  if (submission.status !== "success") return show({ failedSearch: findFailedSearch(form, submission.error) }, 400);
  const search = storeSearch(site.cookies, request, "requests", submission.value.search);
  if (search === null) return leadTo("/admin/requests");
  return leadTo(`/admin/requests?search=${search.id}`, undefined, [search.setCookie]);
}

export default function AdminRequestsPage() {
  const { list, overdue, generatedPasswordOf } = useLoaderData<typeof loader>();
  const failedSearch = useActionData<typeof action>()?.failedSearch ?? null;
  return (
    <AdminFrame subtitle={title} area="requests" overdueRequests={overdue} generatedPasswordOf={generatedPasswordOf}>
      {list ? <RequestsView {...list} failedSearch={failedSearch} /> : <Notice {...failure} />}
    </AdminFrame>
  );
}
