import { getZodConstraint } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, replace } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { company } from "~/content/company";
import { messages } from "~/content/messages";
import { metaFor } from "~/content/page-meta";
import { dataRightsPage } from "~/content/privacy/data-rights";
import { dataRightsForm } from "~/content/privacy/data-rights-form";
import { dataRightsLimits, dataRightsRequestSchema } from "#supabase/functions/_shared/data-rights-request";
import { requestDataRights } from "~/features/data-rights/data-rights.server";
import { DataRightsView } from "~/features/data-rights/data-rights-view";
import { findSentRequest } from "~/features/data-rights/sent-request.server";
import { fallbackOnNetworkError, noServerResult } from "~/lib/pages/fallback-on-network-error";
import type { HydratedHandle } from "~/lib/pages/hydration";
import { renameTrapField } from "~/lib/trap-field";
import { unlessFormSubmitted } from "~/lib/pages/revalidation";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { askAboutAddress } from "~/server/forms/address-question.server";
import { createFormRefusal, guardPost, formatWait } from "~/server/forms/guard.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { SentPage } from "~/ui/forms/sent-page";
import { MessageArea } from "~/ui/frame/message-area";

export const handle: HydratedHandle = { hydrate: true };

export const headers = passHeaders;

export const shouldRevalidate = unlessFormSubmitted;

export const meta = metaFor(dataRightsPage);

export function loader({ request, context }: LoaderFunctionArgs) {
  return {
    constraint: getZodConstraint(dataRightsRequestSchema),
    limits: dataRightsLimits,
    // A new key empties the form. It changes on every load, and the page loads again after a success.
    formKey: crypto.randomUUID(),
    sent: findSentRequest(getSite(context), request),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form, rate, address, refund } = await guardPost(request, context);
  renameTrapField(form);
  const submission = parseForm(form, dataRightsRequestSchema);
  const { text: question, fieldErrors, asked } = askAboutAddress(form);
  const refuse = createFormRefusal(context, submission, { asked });
  if (!rate.allowed) {
    const error = dataRightsForm.tooMany(formatWait(rate.retryAfterSeconds));
    return refuse(429, { formErrors: [error] }, null, { "Retry-After": String(rate.retryAfterSeconds) });
  }
  if (submission.status !== "success" || question !== null) return refuse(400, { fieldErrors });
  const result = await requestDataRights(site, submission.value, address);
  if (result.outcome === "line-full") return refuse(503, {}, messages.dataRightsLineFull);
  if (result.outcome !== "accepted") {
    await refund();
    return refuse(503, {}, messages.dataRightsFailed);
  }
  const isComplaint = submission.value.requestType === "complaint";
  const notice = isComplaint ? "complaintSent" : "dataRightsSent";
  return replace(site.notices.addTo("/data-rights", notice, isComplaint ? 0 : result.hours), { status: 303 });
}

/** Keeps the page and its input if the connection fails while scripts run. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return fallbackOnNetworkError(serverAction<typeof action>(), {
    result: noServerResult,
    message: messages.dataRightsFailed,
    asked: null,
  });
}

export default function DataRightsPage() {
  const { constraint, limits, formKey, sent } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const isSending = useNavigation().formAction === "/data-rights";
  if (sent) {
    return (
      <div className="wrap py-12 md:py-20">
        <SentPage {...sent} email={company.email} next={dataRightsForm.sent.next} />
      </div>
    );
  }
  return (
    <>
      <MessageArea message={result?.message ?? null} />
      <DataRightsView
        key={formKey}
        constraint={constraint}
        limits={limits}
        lastResult={result?.result}
        askedAddress={result?.asked ?? null}
        isSending={isSending}
      />
    </>
  );
}
