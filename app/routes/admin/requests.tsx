import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { fallbackTexts, messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { adminRequestsPage } from "~/content/account/admin-requests";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { answerHeaders } from "~/features/admin/shared/answer-headers.server";
import { parseCursor, parseFilter, listAddress, requestFilters } from "~/features/admin/shared/filters";
import { RequestsView } from "~/features/admin/rights-requests/requests-view";
import { countRequests, listRequests } from "~/features/admin/rights-requests/requests.server";
import { findSearchTerm, keepSearchTerm } from "~/features/admin/shared/search-term.server";
import { AdminUnavailable, requireAdmin, requireAdminOr503 } from "~/features/auth/require-admin.server";
import { guardPost } from "~/server/forms/guard.server";
import { Notice } from "~/ui/frame/notice";
import { getSite } from "~/server/default-site.server";

export const meta = unlistedMetaFor(adminRequestsPage);

/** Nothing of this page may stay in any cache. */
export const headers = () => ({ "Cache-Control": "no-store" });

const failure = { tone: "error", title: messageTitles.adminFailed, text: fallbackTexts.adminFailed } as const;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  try {
    const { client, setCookies, generatedPasswordOf } = await requireAdmin(site, request);
    const place = { ...parseListPlace(request), search: findSearchTerm(site.cookies, request, "requests") };
    const [page, counts] = await Promise.all([listRequests(client, place), countRequests(client)]);
    if (!page.ok || !counts.ok)
      return data(
        { list: null, overdue: null, generatedPasswordOf },
        { status: 503, headers: answerHeaders(setCookies) },
      );
    const { rows, previous, next } = page.data;
    const list = { ...place, requests: rows, previous, next, counts: counts.data };
    return data({ list, overdue: counts.data.overdue, generatedPasswordOf }, { headers: answerHeaders(setCookies) });
  } catch (error) {
    if (!(error instanceof AdminUnavailable)) throw error;
    return data({ list: null, overdue: null, generatedPasswordOf: null }, { status: 503, headers: answerHeaders([]) });
  }
}

/** Begins or ends a search; what is searched for may be a name, so it travels in no address. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const { setCookies } = await requireAdminOr503(site, request);
  const submission = parseWithZod(form, { schema: z.object({ search: z.string().max(1_000).default("") }) });
  if (submission.status !== "success") throw new Response(null, { status: 400, statusText: "Bad Request" });
  const cookies = [...setCookies, keepSearchTerm(site.cookies, "requests", submission.value.search)];
  const address = listAddress("/admin/requests", parseListPlace(request).filter, null);
  return redirect(address, { status: 303, headers: answerHeaders(cookies) });
}

export default function AdminRequestsPage() {
  const { list, overdue, generatedPasswordOf } = useLoaderData<typeof loader>();
  return (
    <AdminFrame
      subtitle={adminRequestsPage.title}
      area="requests"
      overdueRequests={overdue}
      generatedPasswordOf={generatedPasswordOf}
    >
      {list ? <RequestsView {...list} /> : <Notice {...failure} />}
    </AdminFrame>
  );
}

function parseListPlace(request: Request) {
  const query = new URL(request.url).searchParams;
  return { filter: parseFilter(requestFilters, query.get("filter")), cursor: parseCursor(query.get("page")) };
}
