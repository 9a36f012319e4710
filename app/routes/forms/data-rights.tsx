import { type ActionFunctionArgs, type LoaderFunctionArgs, replace } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { company } from "~/content/company";
import { messages } from "~/content/messages";
import { metaFor } from "~/content/page-meta";
import { dataRightsPage } from "~/content/privacy/data-rights";
import { dataRightsForm } from "~/content/privacy/data-rights-form";
import { dataRightsRequestSchema } from "#supabase/functions/_shared/data-rights-request";
import { requestDataRights } from "~/features/data-rights/data-rights.server";
import { DataRightsView } from "~/features/data-rights/data-rights-view";
import { findSentRequest } from "~/features/data-rights/sent-request.server";
import { fallbackOnNetworkError, noServerResult } from "~/lib/pages/fallback-on-network-error";
import { unlessFormSubmitted } from "~/lib/pages/revalidation";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { receivePublicForm } from "~/server/forms/public-form.server";
import { SentPage } from "~/ui/forms/sent-page";
import { MessageArea } from "~/ui/frame/message-area";

export const handle = { hydrate: true };

export const headers = passHeaders;

export const shouldRevalidate = unlessFormSubmitted;

export const meta = metaFor(dataRightsPage);

export function loader({ request, context }: LoaderFunctionArgs) {
  return {
    // A new key empties the form. It changes on every load, and the page loads again after a success.
    formKey: crypto.randomUUID(),
    sent: findSentRequest(getSite(context), request),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const sent = await receivePublicForm(context, await guardPost(request, context), {
    schema: dataRightsRequestSchema,
    tooMany: (wait) => ({ formErrors: [dataRightsForm.tooMany(wait)] }),
    lineFull: messages.dataRightsLineFull,
    failed: messages.dataRightsFailed,
    shown: {},
    serve: (value, address) => requestDataRights(site, value, address),
  });
  if ("refusal" in sent) return sent.refusal;
  const isComplaint = sent.value.requestType === "complaint";
  const notice = isComplaint ? "complaintSent" : "dataRightsSent";
  return replace(site.notices.addTo("/data-rights", notice, isComplaint ? 0 : sent.hours), { status: 303 });
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
  const { formKey, sent } = useLoaderData<typeof loader>();
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
        lastResult={result?.result}
        askedAddress={result?.asked ?? null}
        isSending={isSending}
      />
    </>
  );
}
