import { type ActionFunctionArgs, type LoaderFunctionArgs, data, replace } from "@remix-run/node";
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
import { DeletionQuestion } from "~/features/admin/inbox/deletion-questions";
import { changeAndLeadOn } from "~/features/admin/inbox/lead-on.server";
import { useFollowedMessage } from "~/features/admin/inbox/use-followed-message";
import type { QuestionField } from "~/features/admin/shared/question";
import { findQuestion } from "~/features/admin/shared/question.server";
import type { FailedSearch } from "~/features/admin/shared/search-form";
import { BackupNotice } from "~/features/admin/shared/backup-notice";
import { listUrl } from "~/features/admin/shared/filters";
import { loadInbox } from "~/features/admin/inbox/inbox.server";
import { MissingFactsNotice } from "~/features/admin/shared/missing-facts-notice";
import { InboxView } from "~/features/admin/inbox/inbox-view";
import { DiskNotice } from "~/features/admin/shared/disk-notice";
import { SetupNotice, retentionWaits } from "~/features/admin/shared/setup-notice";
import { readInboxPlace } from "~/features/admin/inbox/inbox-place.server";
import { useFocusFallback } from "~/features/admin/shared/use-focus-fallback";
import { findFailedSearch, storeSearch } from "~/features/admin/shared/search-term.server";
import { adminHeaders, badRequest, receiveAdminPost } from "~/features/auth/admin-page.server";
import { requireAdmin } from "~/features/auth/require-admin.server";
import { AdminUnavailable } from "~/features/auth/signed-in.server";
import { SecondFactorAdvice } from "~/features/auth/second-factor/second-factor-advice";
import { commandLine } from "~/lib/command-line";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { fallbackOnNetworkError, reloadOnNetworkError } from "~/lib/pages/fallback-on-network-error";
import type { HydratedHandle } from "~/lib/pages/hydration";
import { unlessFormSubmitted } from "~/lib/pages/revalidation";
import { readSiteDisk } from "~/server/backend/disk-space.server";
import { readBackupHealth } from "~/server/backend/backup-health.server";
import { countMissingFacts } from "~/server/config/missing-facts.server";
import { getSite } from "~/server/default-site.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { MessageArea } from "~/ui/frame/message-area";
import { Notice, type NoticeProps } from "~/ui/frame/notice";

export const handle = { hydrate: true, ...adminAreaHandle } satisfies HydratedHandle;

export const meta = unlistedMetaFor({ title: "Admin Dashboard" });

/** Reloads the list after a refusal only if a colleague's change caused it. */
export const shouldRevalidate: ShouldRevalidateFunction = (change) =>
  change.actionStatus === 409 || unlessFormSubmitted(change);

const subtitle = "Contact Form Submissions";

export const headers = adminHeaders;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  try {
    const { client, setCookies, generatedPasswordOf, advisesSecondFactor } = await requireAdmin(site, request);
    const account = { generatedPasswordOf, advisesSecondFactor };
    const [inbox, change] = await Promise.all([
      loadInbox(client, readInboxPlace(site, request), site.settings.backend.kind === "embedded"),
      findShownChange(client, site.notices, request),
    ]);
    const backups = await readBackupHealth(site.settings, Date.now(), site.troubles.lastBackupFailure());
    const doesRetentionWait = inbox.outcome === "loaded" && inbox.doesRetentionWait;
    const health = {
      backups,
      disk: (await readSiteDisk(site.settings))?.state ?? "ok",
      missingFacts: { count: countMissingFacts(site.settings), command: commandLine("doctor --strict") },
      doctor: commandLine("doctor"),
      setup: [...site.setupWarnings.list(), ...(doesRetentionWait ? [retentionWaits] : [])],
    };
    const init = { status: inbox.outcome === "loaded" ? 200 : 503, headers: createAdminHeaders(setCookies) };
    return inbox.outcome === "loaded"
      ? data({ inbox, change, failure: null, account, health }, init)
      : data(
          { inbox: null, change, failure: failed(messageTitles.submissionsFailed, inbox.text), account, health },
          init,
        );
  } catch (error) {
    if (!(error instanceof AdminUnavailable)) throw error;
    const failure = failed(messageTitles.adminFailed, fallbackTexts.adminFailed);
    const account = { generatedPasswordOf: null, advisesSecondFactor: false };
    return data(
      { inbox: null, change: null, failure, account, health: null },
      { status: 503, headers: createAdminHeaders([]) },
    );
  }
}

/** Starts a search, or changes messages, then redirects to the list, where the next message is open. */
export async function action(args: ActionFunctionArgs) {
  const { request, site, form, admin, show, leadTo } = await receiveAdminPost(args);
  const { client, setCookies } = admin;
  const submission = parseForm(form, inboxFormSchema);
  if (submission.status !== "success") {
    if (form.get("intent") !== "search") throw badRequest();
    return show({ ...nothing, failedSearch: findFailedSearch(form, submission.error) }, 400);
  }
  const change = submission.value;
  if (change.intent === "search") {
    const search = storeSearch(site.cookies, request, "submissions", change.search);
    if (search === null) return leadTo("/admin");
    return leadTo(`/admin?search=${search.id}`, undefined, [search.setCookie]);
  }
  const question = change.intent === "delete" || change.intent === "deleteSpam" ? findQuestion(form) : null;
  if (question) return show({ ...nothing, question });
  const place = readInboxPlace(site, request);
  const result = await changeAndLeadOn(client, place, change);
  if (!result.ok) return show({ ...nothing, failure: failed(messageTitles.adminFailed, result.text) }, result.status);
  const address = site.notices.addTo(result.data.address, result.data.key);
  return replace(address, { status: 303, headers: createAdminHeaders(setCookies) });
}

/** Data of a post that does not redirect. */
interface Refused {
  failure: NoticeProps | null;
  failedSearch: FailedSearch | null;
  /** fields of a deletion to confirm */
  question: QuestionField[] | null;
}

const nothing: Refused = { failure: null, failedSearch: null, question: null };

/** Loads another page of the list. A lost connection leads to the browser's own error page. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  return reloadOnNetworkError(serverLoader<typeof loader>(), request.url);
}

/** Keeps the list on screen when scripts lose the connection. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  const failure = failed(messageTitles.adminFailed, fallbackTexts.adminLineLost);
  return fallbackOnNetworkError(serverAction<typeof action>(), { ...nothing, failure });
}

export default function AdminPage() {
  const { inbox, change, failure, account, health } = useLoaderData<typeof loader>();
  const { failure: refusal, failedSearch, question } = useActionData<typeof action>() ?? nothing;
  const isLoading = useFocusFallback();
  useFollowedMessage(change !== null);
  const here = inbox && listUrl("/admin", inbox);
  if (inbox && here && question)
    return (
      <AdminFrame subtitle={subtitle} area="submissions">
        <DeletionQuestion action={here} fields={question} shown={inbox.submissions} />
      </AdminFrame>
    );
  return (
    <AdminFrame
      subtitle={subtitle}
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
      <MessageArea message={refusal} className="" />
      {change && here && !refusal ? <ChangeNotice change={change} action={here} /> : null}
      {failure ? <Notice {...failure} /> : null}
      <DiskNotice disk={health?.disk ?? "ok"} doctor={health?.doctor ?? ""} />
      <BackupNotice backups={health?.backups ?? null} doctor={health?.doctor ?? ""} />
      {inbox ? <InboxView inbox={inbox} failedSearch={failedSearch} /> : null}
      {account.advisesSecondFactor ? <SecondFactorAdvice /> : null}
      <MissingFactsNotice missing={health?.missingFacts ?? null} />
      <SetupNotice warnings={health?.setup ?? []} />
    </AdminFrame>
  );
}

const failed = (title: string, text: string): NoticeProps => ({ tone: "error", title, text });
