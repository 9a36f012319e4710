import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData, useParams } from "@remix-run/react";
import { messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { erasurePlaces } from "~/content/request-mails";
import { UndeliveredMails } from "~/features/admin/delivery/undelivered-mails";
import { WaitingMails } from "~/features/admin/delivery/waiting-mails";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { type KeptPost, KeptPostPage } from "~/features/admin/shared/kept-post";
import { goneFailure, hasTypedText, keepPost } from "~/features/admin/shared/kept-post.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { changeRequest, requestFormSchema, seenSchema } from "~/features/admin/rights-requests/change-request.server";
import { describeTimeLeft } from "~/features/admin/rights-requests/time-left";
import { findNextStep } from "~/features/admin/rights-requests/next-step";
import { NextStepNote } from "~/features/admin/rights-requests/next-step-note";
import { RequestActionForms, describeErasure } from "~/features/admin/rights-requests/request-action-forms";
import { findUndelivered } from "~/features/admin/rights-requests/undelivered-answers";
import type { FailedChange } from "~/features/admin/rights-requests/request-actions";
import { RequestFacts } from "~/features/admin/rights-requests/request-facts";
import { findRequest } from "~/features/admin/rights-requests/requests.server";
import { Question, type QuestionField } from "~/features/admin/shared/question";
import { findQuestion } from "~/features/admin/shared/question.server";
import { ConfirmFirst } from "~/features/auth/sign-in/confirm-first";
import { hasRecentSignIn, requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import {
  type AdminVisit,
  adminHeaders,
  findAdminPage,
  receiveTypedText,
  requireData,
  requireId,
} from "~/features/auth/admin-page.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { Notice } from "~/ui/frame/notice";
import { useDayFormat, useInstantFormat } from "~/ui/frame/time-zone";

export const meta: MetaFunction<typeof loader> = (page) =>
  unlistedMetaFor({ title: page.data?.found ? titleOf(page.data.found.record.reference) : "Data rights requests" })(
    page,
  );

const titleOf = (reference: string) => `Data rights request ${reference}`;

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export function loader(args: LoaderFunctionArgs) {
  return findAdminPage(args, loadRequest);
}

async function loadRequest({ site, client, params }: AdminVisit) {
  const record = requireData(await findRequest(client, requireId(params.requestId)));
  const today = site.clock.today();
  // Google holds no data if analytics is not in use.
  const places = erasurePlaces.filter((place) => place !== "google" || site.settings.gaMeasurementId !== undefined);
  return { record, today, places };
}

interface Refused extends FailedChange {
  question: QuestionField[] | null;
  /** the post, in case the request can no longer be shown */
  kept: KeptPost | null;
  isStale: boolean;
}

/** Changes the request, then redirects to it, or to the list after an erasure. A failure returns the admin's text. */
export async function action(args: ActionFunctionArgs) {
  const { params, site, form, admin, show, leadTo } = await receiveTypedText(args, hasTypedText);
  const id = requireId(params.requestId);
  const submission = parseForm(form, requestFormSchema);
  const read = (name: string) => String(form.get(name) ?? "");
  const sent = {
    intent: read("intent"),
    text: read("text"),
    submission: read("submission"),
    field: read("field"),
    elsewhere: form.getAll("elsewhere").map(String),
  };
  const refuse = (error: string, status?: number, why: Partial<Refused> = { kept: keepPost(form, error) }) =>
    show<Refused>({ ...sent, error, question: null, kept: null, isStale: false, ...why }, status);
  if ("failure" in admin) return refuse(admin.failure, admin.status);
  const { client } = admin;
  if (submission.status !== "success") {
    const mistake = submission.error?.text?.[0];
    return refuse(mistake ?? "Something is missing or too long. Check what you entered and try again.", 400);
  }
  const isErasure = submission.value.intent === "erase";
  if (isErasure && !hasRecentSignIn(admin)) {
    if (sent.elsewhere.length > 0) return refuse("", 403, { isStale: true });
    requireRecent(admin, `/admin/requests/${id}`);
  }
  const question = isErasure ? findQuestion(form) : null;
  if (question) return refuse("", undefined, { question });
  const { seen } = seenSchema.parse(Object.fromEntries(form));
  const result = await changeRequest(client, site.settings, id, submission.value, seen);
  if (!result.ok) {
    const isAbsent = result.status === 404 && hasTypedText(form);
    const kept = keepPost(form, isAbsent ? goneFailure : result.text, isAbsent);
    return refuse(result.text, result.status, { kept });
  }
  return leadTo(isErasure ? "/admin/requests" : `/admin/requests/${id}`, result.data);
}

export default function AdminRequestPage() {
  const { found } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>() ?? null;
  const { requestId } = useParams();
  const formats = { instant: useInstantFormat(), dayOf: useDayFormat() };
  if (found === null)
    return (
      failed?.kept && (
        <KeptPostPage
          kept={failed.kept}
          action={`/admin/requests/${requestId}`}
          list={{ label: "Go to the requests", path: "/admin/requests" }}
        />
      )
    );
  const { record, today, places, unreadable, generatedPasswordOf } = found;
  const step = findNextStep(record, formats);
  const time = describeTimeLeft(record, today);
  const address = `/admin/requests/${record.id}`;
  if (failed?.question && record.erasure)
    return (
      <AdminFrame subtitle={titleOf(record.reference)} area="requests">
        <Question
          title="Erase this person’s data?"
          button="Erase permanently"
          action={address}
          fields={failed.question}
          back={address}
        >
          <p>
            <bdi>{record.name}</bdi>, {record.email}
          </p>
          <p>This can’t be undone. {describeErasure(record.erasure)}</p>
        </Question>
      </AdminFrame>
    );
  return (
    <AdminFrame subtitle={titleOf(record.reference)} area="requests" generatedPasswordOf={generatedPasswordOf}>
      {failed?.isStale ? <ConfirmFirst next={address} /> : null}
      {failed?.error ? <Notice tone="error" title={messageTitles.adminFailed} text={failed.error} /> : null}
      <NextStepNote step={step} time={time} isOverdue={record.is_overdue} action={address} version={record.version} />
      <UndeliveredMails mails={findUndelivered(record)} version={record.version} />
      {record.link_waits ? <WaitingMails mails={record.mails} /> : null}
      <div className="request-page">
        <div className="request-record">
          <RequestFacts request={record} />
          <UnreadableEntries ids={unreadable} />
        </div>
        <RequestActionForms action={address} request={record} next={step.action} places={places} failed={failed} />
      </div>
    </AdminFrame>
  );
}
