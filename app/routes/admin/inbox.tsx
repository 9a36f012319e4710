import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect, replace } from "@remix-run/node";
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
import { changeSubmission, inboxFormSchema } from "~/features/admin/inbox/change-submission.server";
import { BackupNotice } from "~/features/admin/shared/backup-notice";
import { listUrl, submissionFilters } from "~/features/admin/shared/filters";
import { loadInbox } from "~/features/admin/inbox/inbox.server";
import { MissingFactsNotice } from "~/features/admin/shared/missing-facts-notice";
import { InboxView } from "~/features/admin/inbox/inbox-view";
import { DiskNotice } from "~/features/admin/shared/disk-notice";
import { SetupNotice } from "~/features/admin/shared/setup-notice";
import { readListQuery } from "~/features/admin/shared/list-query.server";
import { useFocusFallback } from "~/features/admin/shared/use-focus-fallback";
import { findFailedSearch, storeSearch } from "~/features/admin/shared/search-term.server";
import { requireAdmin, requireAdminOr503 } from "~/features/auth/require-admin.server";
import { AdminUnavailable } from "~/features/auth/signed-in.server";
import { SecondFactorAdvice } from "~/features/auth/second-factor/second-factor-advice";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { fallbackOnNetworkError, reloadOnNetworkError } from "~/lib/pages/fallback-on-network-error";
import type { HydratedHandle } from "~/lib/pages/hydration";
import { unlessFormSubmitted } from "~/lib/pages/revalidation";
import { readSiteDisk } from "~/server/backend/disk-space.server";
import { readBackupHealth } from "~/server/backend/backup-health.server";
import { countMissingFacts } from "~/server/config/missing-facts.server";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import type { SiteContext } from "~/server/site-context.server";
import { MessageArea } from "~/ui/frame/message-area";
import { Notice, type NoticeProps } from "~/ui/frame/notice";

export const handle = { hydrate: true, ...adminAreaHandle } satisfies HydratedHandle;

export const meta = unlistedMetaFor({ title: "Admin Dashboard" });

/** Reloads the list after a refusal only if a colleague's change caused it. */
export const shouldRevalidate: ShouldRevalidateFunction = (change) =>
  change.actionStatus === 409 || unlessFormSubmitted(change);

/** Setup warning shown while the database does not trust its clock (`private.retention_waits`). */
const retentionWaits = {
  event: "retention.waits",
  text: "The server’s clock went back, or jumped ahead by more than two weeks. For a day, nothing is deleted because of its age, so that you can correct a wrong clock.",
  see: "docs/OPERATIONS.md, “A clock that jumps”",
};

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  try {
    const { client, setCookies, generatedPasswordOf, advisesSecondFactor } = await requireAdmin(site, request);
    const account = { generatedPasswordOf, advisesSecondFactor };
    const inbox = await loadInbox(client, readPlace(site, request), site.settings.backend.kind === "embedded");
    const backups = await readBackupHealth(site.settings);
    const doesRetentionWait = inbox.outcome === "loaded" && inbox.doesRetentionWait;
    const health = {
      backups,
      disk: (await readSiteDisk(site.settings))?.state ?? "ok",
      missingFacts: countMissingFacts(site.settings),
      setup: [...site.setupWarnings.list(), ...(doesRetentionWait ? [retentionWaits] : [])],
    };
    const init = { status: inbox.outcome === "loaded" ? 200 : 503, headers: createAdminHeaders(setCookies) };
    return inbox.outcome === "loaded"
      ? data({ inbox, failure: null, account, health }, init)
      : data({ inbox: null, failure: failed(messageTitles.submissionsFailed, inbox.text), account, health }, init);
  } catch (error) {
    if (!(error instanceof AdminUnavailable)) throw error;
    const failure = failed(messageTitles.adminFailed, fallbackTexts.adminFailed);
    const account = { generatedPasswordOf: null, advisesSecondFactor: false };
    return data({ inbox: null, failure, account, health: null }, { status: 503, headers: createAdminHeaders([]) });
  }
}

/** Starts a search, or changes one message, then redirects to the same page of the list. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const { client, setCookies } = await requireAdminOr503(site, request);
  const submission = parseWithZod(form, { schema: inboxFormSchema });
  if (submission.status !== "success") {
    if (form.get("intent") !== "search") throw new Response(null, { status: 400, statusText: "Bad Request" });
    const failedSearch = findFailedSearch(form, submission.error);
    return data({ failure: null, failedSearch }, { status: 400, headers: createAdminHeaders(setCookies) });
  }
  const change = submission.value;
  if (change.intent === "search") {
    const search = storeSearch(site.cookies, request, "submissions", change.search);
    const cookies = [...setCookies, ...(search ? [search.setCookie] : [])];
    return redirect(search ? `/admin?search=${search.id}` : "/admin", {
      status: 303,
      headers: createAdminHeaders(cookies),
    });
  }
  const result = await changeSubmission(client, change);
  if (!result.ok) {
    context.hasMistakes = true;
    const failure = failed(messageTitles.adminFailed, result.text);
    return data({ failure, failedSearch: null }, { status: result.status, headers: createAdminHeaders(setCookies) });
  }
  const address = site.notices.addTo(listUrl("/admin", readPlace(site, request)), result.data);
  return replace(address, { status: 303, headers: createAdminHeaders(setCookies) });
}

/** Loads another page of the list. A lost connection leads to the browser's own error page. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  return reloadOnNetworkError(serverLoader<typeof loader>(), request.url);
}

/** Keeps the list on screen when scripts lose the connection. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  const failure = failed(messageTitles.adminFailed, fallbackTexts.adminLineLost);
  return fallbackOnNetworkError(serverAction<typeof action>(), { failure, failedSearch: null });
}

export default function AdminPage() {
  const { inbox, failure, account, health } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const isLoading = useFocusFallback();
  return (
    <AdminFrame
      subtitle="Contact Form Submissions"
      area="submissions"
      waiting={inbox?.counts.waiting}
      overdueRequests={inbox?.overdueRequests ?? null}
      generatedPasswordOf={account.generatedPasswordOf}
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
      <MessageArea message={actionData?.failure ?? null} className="" />
      {failure ? <Notice {...failure} /> : null}
      <DiskNotice disk={health?.disk ?? "ok"} />
      <BackupNotice backups={health?.backups ?? null} />
      <MissingFactsNotice count={health?.missingFacts ?? 0} />
      <SetupNotice warnings={health?.setup ?? []} />
      {account.advisesSecondFactor ? <SecondFactorAdvice /> : null}
      {inbox ? <InboxView inbox={inbox} failedSearch={actionData?.failedSearch ?? null} /> : null}
    </AdminFrame>
  );
}

function readPlace(site: SiteContext, request: Request) {
  return readListQuery(site.cookies, request, "submissions", { filters: submissionFilters, searched: "all" });
}

const failed = (title: string, text: string): NoticeProps => ({ tone: "error", title, text });
