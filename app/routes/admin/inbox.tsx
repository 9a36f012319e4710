import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { fallbackTexts, messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { adminPage } from "~/content/account/admin";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { answerHeaders } from "~/features/admin/shared/answer-headers.server";
import { changeSubmission, inboxFormSchema } from "~/features/admin/inbox/change-submission.server";
import { parseCursor, parseFilter, listAddress, submissionFilters } from "~/features/admin/shared/filters";
import { loadInbox } from "~/features/admin/inbox/inbox.server";
import { InboxView } from "~/features/admin/inbox/inbox-view";
import { findSearchTerm, keepSearchTerm } from "~/features/admin/shared/search-term.server";
import { AdminUnavailable, requireAdmin, requireAdminOr503 } from "~/features/auth/require-admin.server";
import type { HydratedHandle } from "~/lib/pages/hydration";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { Notice, type NoticeProps } from "~/ui/frame/notice";

export const handle: HydratedHandle = { hydrate: true };

export const meta = unlistedMetaFor(adminPage);

/** Nothing of this page may stay in any cache. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  try {
    const { client, setCookies, generatedPasswordOf } = await requireAdmin(site, request);
    const place = { ...parseListPlace(request), search: findSearchTerm(site.cookies, request, "submissions") };
    const inbox = await loadInbox(client, place, site.settings.backend.kind === "embedded");
    const init = { status: inbox.outcome === "loaded" ? 200 : 503, headers: answerHeaders(setCookies) };
    return inbox.outcome === "loaded"
      ? data({ inbox, failure: null, generatedPasswordOf }, init)
      : data({ inbox: null, failure: failed(messageTitles.submissionsFailed, inbox.text), generatedPasswordOf }, init);
  } catch (error) {
    if (!(error instanceof AdminUnavailable)) throw error;
    const failure = failed(messageTitles.adminFailed, fallbackTexts.adminFailed);
    return data({ inbox: null, failure, generatedPasswordOf: null }, { status: 503, headers: answerHeaders([]) });
  }
}

/** Begins a search, or changes one message, and leads back to the same place of the list. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const { client, setCookies } = await requireAdminOr503(site, request);
  const submission = parseWithZod(form, { schema: inboxFormSchema });
  if (submission.status !== "success") throw new Response(null, { status: 400, statusText: "Bad Request" });
  const { filter, cursor } = parseListPlace(request);
  const change = submission.value;
  if (change.intent === "search") {
    const cookies = [...setCookies, keepSearchTerm(site.cookies, "submissions", change.search)];
    return redirect(listAddress("/admin", filter, null), { status: 303, headers: answerHeaders(cookies) });
  }
  const answer = await changeSubmission(client, change);
  if (!answer.ok) {
    const failure = failed(messageTitles.adminFailed, answer.text);
    return data({ failure }, { status: answer.status, headers: answerHeaders(setCookies) });
  }
  const cookies = [...setCookies, await site.flash.set(answer.data)];
  return redirect(listAddress("/admin", filter, cursor), { status: 303, headers: answerHeaders(cookies) });
}

export default function AdminPage() {
  const { inbox, failure, generatedPasswordOf } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const isLoading = useNavigation().state !== "idle";
  return (
    <AdminFrame
      subtitle={adminPage.subtitle}
      area="submissions"
      overdueRequests={inbox?.overdueRequests ?? null}
      generatedPasswordOf={generatedPasswordOf}
      status={
        <output className="mt-4 block h-6">
          {isLoading ? (
            <span className="flex items-center gap-3">
              <span className="spinner" aria-hidden="true" /> {adminPage.loading}
            </span>
          ) : null}
        </output>
      }
    >
      {answer ? <Notice {...answer.failure} /> : null}
      {failure ? <Notice {...failure} /> : null}
      {inbox ? <InboxView inbox={inbox} /> : null}
    </AdminFrame>
  );
}

function parseListPlace(request: Request) {
  const query = new URL(request.url).searchParams;
  return { filter: parseFilter(submissionFilters, query.get("filter")), cursor: parseCursor(query.get("page")) };
}

const failed = (title: string, text: string): NoticeProps => ({ tone: "error", title, text });
