import type { MetaFunction } from "@remix-run/node";
import { unlistedMetaFor } from "~/content/page-meta";
import { erasurePlaces } from "~/content/request-mails";
import { UndeliveredMails } from "~/features/admin/delivery/undelivered-mails";
import { WaitingMails } from "~/features/admin/delivery/waiting-mails";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
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
import { Question } from "~/features/admin/shared/question";
import { hasRecentSignIn, requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import {
  adminAction,
  adminHeaders,
  adminLoader,
  readText,
  requireData,
  requireId,
} from "~/features/auth/admin-page.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { useDayFormat, useInstantFormat } from "~/ui/frame/time-zone";

export const meta: MetaFunction<typeof loader> = (page) =>
  unlistedMetaFor({ title: page.data?.found ? titleOf(page.data.found.record.reference) : "Data rights requests" })(
    page,
  );

const titleOf = (reference: string) => `Data rights request ${reference}`;

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export const loader = adminLoader(async ({ site, client, params }) => {
  const record = requireData(await findRequest(client, requireId(params.requestId)));
  const today = site.clock.today();
  // Google holds no data if analytics is not in use.
  const places = erasurePlaces.filter((place) => place !== "google" || site.settings.gaMeasurementId !== undefined);
  return { record, today, places };
});

/** Changes the request, then redirects to it, or to the list after an erasure. A failure returns the admin's text. */
export const action = adminAction<{ sent: FailedChange }>(
  async ({ params, site, form, admin, unconfirmed, show, leadTo }) => {
    const id = requireId(params.requestId);
    const submission = parseForm(form, requestFormSchema);
    const sent = {
      intent: readText(form, "intent"),
      text: readText(form, "text"),
      submission: readText(form, "submission"),
      field: readText(form, "field"),
      elsewhere: form.getAll("elsewhere").map(String),
    };
    const refuse = (failure: string, status: number) => show({ sent: { ...sent, error: failure }, failure }, status);
    if (submission.status !== "success") {
      const mistake = submission.error?.text?.[0];
      return refuse(mistake ?? "Something is missing or too long. Check what you entered and try again.", 400);
    }
    const isErasure = submission.value.intent === "erase";
    if (isErasure && !hasRecentSignIn(admin)) {
      if (sent.elsewhere.length > 0) return show({ sent: { ...sent, error: "" }, isStale: true }, 403);
      requireRecent(admin, `/admin/requests/${id}`);
    }
    if (isErasure && unconfirmed) return show({ title: "Erase this person’s data?", question: unconfirmed });
    const { seen } = seenSchema.parse(Object.fromEntries(form));
    const result = await changeRequest(admin.client, site.settings, id, submission.value, seen);
    if (!result.ok) return refuse(result.text, result.status);
    return leadTo(isErasure ? "/admin/requests" : `/admin/requests/${id}`, result.data);
  },
  {
    texts: [{ name: "text", label: "Your text", rows: 10 }],
    list: { label: "Go to the requests", path: "/admin/requests" },
  },
);

export default adminPage<typeof loader, typeof action>(function AdminRequestPage({ found, refused }) {
  const formats = { instant: useInstantFormat(), dayOf: useDayFormat() };
  const { record, today, places } = found;
  const step = findNextStep(record, formats);
  const time = describeTimeLeft(record, today);
  const address = `/admin/requests/${record.id}`;
  const failed = refused?.sent ?? null;
  return (
    <AdminFrame
      subtitle={titleOf(record.reference)}
      area="requests"
      question={
        refused?.question &&
        record.erasure && (
          <Question button="Erase permanently" action={address}>
            <p>
              <bdi>{record.name}</bdi>, {record.email}
            </p>
            <p>This can’t be undone. {describeErasure(record.erasure)}</p>
          </Question>
        )
      }
    >
      <NextStepNote step={step} time={time} isOverdue={record.is_overdue} action={address} version={record.version} />
      <UndeliveredMails mails={findUndelivered(record)} version={record.version} />
      {record.link_waits ? <WaitingMails mails={record.mails} /> : null}
      <div className="request-page">
        <div className="request-record">
          <RequestFacts request={record} />
          <UnreadableEntries />
        </div>
        <RequestActionForms action={address} request={record} next={step.action} places={places} failed={failed} />
      </div>
    </AdminFrame>
  );
});
