import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData, useParams } from "@remix-run/react";
import { z } from "zod";
import { messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { erasurePlaces } from "~/content/request-mails";
import { UndeliveredMails } from "~/features/admin/delivery/undelivered-mails";
import { WaitingMails } from "~/features/admin/delivery/waiting-mails";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { type KeptPost, KeptPostPage } from "~/features/admin/shared/kept-post";
import { goneFailure, hasTypedText, keepPost } from "~/features/admin/shared/kept-post.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { changeRequest, requestFormSchema, seenSchema } from "~/features/admin/rights-requests/change-request.server";
import { describeTimeLeft } from "~/features/admin/rights-requests/time-left";
import { findNextStep } from "~/features/admin/rights-requests/next-step";
import { NextStepNote } from "~/features/admin/rights-requests/next-step-note";
import { RequestActionForms, describeErasure } from "~/features/admin/rights-requests/request-action-forms";
import { findUndelivered } from "~/features/admin/rights-requests/undelivered-answers";
import { RequestFacts } from "~/features/admin/rights-requests/request-facts";
import { findRequest } from "~/features/admin/rights-requests/requests.server";
import { Question } from "~/features/admin/shared/question";
import { findQuestion } from "~/features/admin/shared/question.server";
import { unsentReason } from "~/features/admin/shared/unsent-text";
import { findWriter } from "~/features/auth/find-writer.server";
import { ConfirmFirst } from "~/features/auth/sign-in/confirm-first";
import { hasRecentSignIn, requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { Notice } from "~/ui/frame/notice";
import { useDayFormat, useInstantFormat } from "~/ui/frame/time-zone";

export const meta: MetaFunction<typeof loader> = (page) =>
  unlistedMetaFor({ title: page.data?.found ? titleOf(page.data.found.record.reference) : "Data rights requests" })(
    page,
  );

const titleOf = (reference: string) => `Data rights request ${reference}`;

export const handle = adminAreaHandle;

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

/**
 * Loads the request. After a refused post, a request that cannot be loaded is left out, so that the page can return the
 * admin's text.
 */
export async function loader(args: LoaderFunctionArgs) {
  try {
    return await loadRequest(args);
  } catch (refusal) {
    if (args.context.hasMistakes && refusal instanceof Response) return data({ found: null });
    throw refusal;
  }
}

async function loadRequest({ request, context, params }: LoaderFunctionArgs) {
  const site = getSite(context);
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(site, request);
  const found = await findRequest(client, requireId(params.requestId));
  if (!found.ok) throw new Response(null, { status: found.status });
  if (!found.data) throw new Response(null, { status: 404, statusText: "Not Found" });
  const record = found.data;
  const today = site.clock.today();
  // Google holds no data if analytics is not in use.
  const places = erasurePlaces.filter((place) => place !== "google" || site.settings.gaMeasurementId !== undefined);
  return data(
    { found: { record, today, places, unreadable: client.unreadable, generatedPasswordOf } },
    { headers: createAdminHeaders(setCookies) },
  );
}

/**
 * Changes the request, then redirects back to it, or to the list after an erasure. A failure returns the admin's text,
 * even if the session has ended.
 */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const id = requireId(params.requestId);
  const admin = hasTypedText(form) ? await findWriter(site, request) : await requireAdminOr503(site, request);
  const { setCookies } = admin;
  const submission = parseForm(form, requestFormSchema);
  const read = (name: string) => String(form.get(name) ?? "");
  const elsewhere = form.getAll("elsewhere").map(String);
  const sent = {
    intent: read("intent"),
    text: read("text"),
    submission: read("submission"),
    field: read("field"),
    elsewhere,
  };
  const refuse = (
    error: string,
    status: number,
    kept: KeptPost | null = keepPost(form, { failure: error }),
    isStale = false,
  ) => {
    context.hasMistakes = true;
    return data({ ...sent, error, question: null, kept, isStale }, { status, headers: createAdminHeaders(setCookies) });
  };
  if ("needsSignIn" in admin) {
    const failure = unsentReason(admin);
    return refuse(failure, admin.status, keepPost(form, { failure, needsSignIn: admin.needsSignIn }));
  }
  const { client } = admin;
  if (submission.status !== "success") {
    const mistake = submission.error?.text?.[0];
    return refuse(mistake ?? "Something is missing or too long. Check what you entered and try again.", 400);
  }
  if (submission.value.intent === "erase" && !hasRecentSignIn(admin)) {
    if (elsewhere.length > 0) return refuse("", 403, null, true);
    requireRecent(admin, `/admin/requests/${id}`);
  }
  const question = submission.value.intent === "erase" ? findQuestion(form) : null;
  if (question)
    return data(
      { ...sent, error: "", question, kept: null, isStale: false },
      { headers: createAdminHeaders(setCookies) },
    );
  const { seen } = seenSchema.parse(Object.fromEntries(form));
  const result = await changeRequest(client, site.settings, id, submission.value, seen);
  if (!result.ok) {
    const isAbsent = result.status === 404 && hasTypedText(form);
    const failure = isAbsent ? goneFailure : result.text;
    return refuse(result.text, result.status, keepPost(form, { failure, isGone: isAbsent }));
  }
  const isGone = submission.value.intent === "erase";
  const address = site.notices.addTo(isGone ? "/admin/requests" : `/admin/requests/${id}`, result.data);
  return redirect(address, { status: 303, headers: createAdminHeaders(setCookies) });
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
      <AdminFrame
        subtitle={titleOf(record.reference)}
        area="requests"
        overdueRequests={null}
        generatedPasswordOf={null}
      >
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
    <AdminFrame
      subtitle={titleOf(record.reference)}
      area="requests"
      overdueRequests={null}
      generatedPasswordOf={generatedPasswordOf}
    >
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

function requireId(id: string | undefined): string {
  const parsed = z.uuid().safeParse(id);
  if (!parsed.success) throw new Response(null, { status: 404, statusText: "Not Found" });
  return parsed.data;
}
