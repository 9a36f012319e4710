import { type LoaderFunctionArgs, data, replace } from "@remix-run/node";
import {
  type ClientActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  type ShouldRevalidateFunction,
  useActionData,
  useLoaderData,
} from "@remix-run/react";
import { fallbackTexts, messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { ChangeNotice } from "~/features/admin/inbox/change-notice";
import { findShownChange } from "~/features/admin/inbox/change-notice.server";
import { inboxFormSchema } from "~/features/admin/inbox/change-submission.server";
import { DeletionQuestion, askToDelete } from "~/features/admin/inbox/deletion-questions";
import { changeAndLeadOn } from "~/features/admin/inbox/lead-on.server";
import { useFollowedMessage } from "~/features/admin/inbox/use-followed-message";
import type { FailedSearch } from "~/features/admin/shared/search-form";
import { listUrl } from "~/features/admin/shared/filters";
import { loadInbox } from "~/features/admin/inbox/inbox.server";
import { NoticeList } from "~/features/admin/inbox/notice-list";
import { composeSiteNotices } from "~/features/admin/inbox/site-notices.server";
import { InboxView } from "~/features/admin/inbox/inbox-view";
import { readInboxPlace } from "~/features/admin/inbox/inbox-place.server";
import { useFocusFallback } from "~/features/admin/inbox/use-focus-fallback";
import { findFailedSearch, storeSearch } from "~/features/admin/shared/search-term.server";
import { adminAction, adminHeaders, badRequest } from "~/features/auth/admin-page.server";
import { requireAdmin } from "~/features/auth/require-admin.server";
import { SecondFactorAdvice } from "~/features/auth/second-factor/second-factor-advice";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import type { Refusal } from "~/server/forms/admin-refusal.server";
import { fallbackOnNetworkError, reloadOnNetworkError } from "~/lib/pages/fallback-on-network-error";
import { unlessFormSubmitted } from "~/lib/pages/revalidation";
import { getSite } from "~/server/default-site.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { Notice } from "~/ui/frame/notice";

export const handle = { hydrate: true, ...adminAreaHandle };

export const meta = unlistedMetaFor({ title: "Admin Dashboard" });

/** Reloads the list after a refusal only if a colleague's change caused it. */
export const shouldRevalidate: ShouldRevalidateFunction = (change) =>
  change.actionStatus === 409 || unlessFormSubmitted(change);

const subtitle = "Contact Form Submissions";

export const headers = adminHeaders;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  try {
    const { client, setCookies, advisesSecondFactor } = await requireAdmin(site, request);
    const [result, change] = await Promise.all([
      loadInbox(client, readInboxPlace(site, request), site.settings.backend.kind === "embedded"),
      findShownChange(client, site.notices, request),
    ]);
    const inbox = result.outcome === "loaded" ? result : null;
    const notices = await composeSiteNotices(site, inbox && inbox.health);
    const failure = result.outcome === "loaded" ? null : { title: messageTitles.submissionsFailed, text: result.text };
    const found = { unreadable: client.unreadable };
    return data(
      { inbox, change, failure, notices, advisesSecondFactor, found },
      { status: inbox ? 200 : 503, headers: createAdminHeaders(setCookies) },
    );
  } catch (error) {
    if (!(error instanceof Response && error.status === 503)) throw error;
    const failure = { title: messageTitles.adminFailed, text: fallbackTexts.adminFailed };
    return data(
      { inbox: null, change: null, failure, notices: null, advisesSecondFactor: false },
      { status: 503, headers: createAdminHeaders([]) },
    );
  }
}

/** Starts a search, or changes messages, then redirects to the list, where the next message is open. */
export const action = adminAction<{ failedSearch: FailedSearch }>(
  async ({ request, site, form, admin: { client, setCookies }, unconfirmed, show, leadTo }) => {
    const submission = parseForm(form, inboxFormSchema);
    if (submission.status !== "success") {
      if (form.get("intent") !== "search") throw badRequest();
      return show({ failedSearch: findFailedSearch(form, submission.error) }, 400);
    }
    const change = submission.value;
    if (change.intent === "search") {
      const search = storeSearch(site, request, "submissions", change.search);
      if (search === null) return leadTo("/admin");
      return leadTo(`/admin?search=${search.id}`, undefined, [search.setCookie]);
    }
    if ((change.intent === "delete" || change.intent === "deleteSpam") && unconfirmed)
      return show(askToDelete(unconfirmed));
    const result = await changeAndLeadOn(client, readInboxPlace(site, request), change);
    if (!result.ok) return show({ failure: result.text }, result.status);
    const address = site.notices.addTo(result.data.address, result.data.key);
    return replace(address, { status: 303, headers: createAdminHeaders(setCookies) });
  },
);

/** Loads another page of the list. A lost connection leads to the browser's own error page. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  return reloadOnNetworkError(serverLoader<typeof loader>(), request.url);
}

/** Keeps the list on screen when scripts lose the connection. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  const lost: Partial<{ failedSearch: FailedSearch }> & Refusal = { failure: fallbackTexts.adminLineLost };
  return fallbackOnNetworkError(serverAction<typeof action>(), lost);
}

export default function AdminPage() {
  const { inbox, change, failure, notices, advisesSecondFactor } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const isLoading = useFocusFallback();
  useFollowedMessage(change !== null);
  const here = inbox && listUrl("/admin", inbox);
  return (
    <AdminFrame
      subtitle={subtitle}
      area="submissions"
      list={inbox && inbox.submissions.length > 0 ? "messages" : undefined}
      waiting={inbox?.counts.waiting}
      overdueRequests={inbox?.overdueRequests}
      question={
        inbox &&
        here &&
        refused?.question && <DeletionQuestion action={here} fields={refused.question} shown={inbox.submissions} />
      }
      status={
        <output className="block">
          {isLoading ? (
            <span className="flex items-center gap-3">
              <span className="spinner" aria-hidden="true" /> Loading
            </span>
          ) : null}
        </output>
      }
    >
      {change && here && !refused?.failure ? <ChangeNotice change={change} action={here} /> : null}
      {failure ? <Notice tone="error" {...failure} /> : null}
      <NoticeList notices={notices?.urgent ?? []} />
      {inbox ? <InboxView inbox={inbox} failedSearch={refused?.failedSearch ?? null} /> : null}
      {advisesSecondFactor ? <SecondFactorAdvice /> : null}
      <NoticeList notices={notices?.setup ?? []} />
    </AdminFrame>
  );
}
