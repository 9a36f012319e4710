import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnsentText, unsentReason } from "~/features/admin/shared/unsent-text";
import { findWriter } from "~/features/auth/find-writer.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { EnterRequestForm } from "~/features/admin/rights-requests/enter-request-form";
import { enteredRequestSchema, enterRequest } from "~/features/admin/rights-requests/enter-request.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { getSite } from "~/server/default-site.server";
import { askAboutAddress } from "~/server/forms/address-question.server";
import { guardPost } from "~/server/forms/guard.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { Notice } from "~/ui/frame/notice";

const title = "Enter a request";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

/** Loads the page. After a refused post, a missing admin is left out, so that the page can return the request. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  const today = site.clock.today();
  try {
    const { setCookies, generatedPasswordOf } = await requireAdminOr503(site, request);
    return data({ today, isAdmin: true, generatedPasswordOf }, { headers: createAdminHeaders(setCookies) });
  } catch (refusal) {
    if (context.hasMistakes && refusal instanceof Response)
      return data({ today, isAdmin: false, generatedPasswordOf: null });
    throw refusal;
  }
}

/** Stores the request and redirects to its page. A failure returns what was typed, even if the session has ended. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const writer = await findWriter(site, request);
  const { setCookies } = writer;
  const submission = parseForm(form, enteredRequestSchema(site.clock.today()));
  const { text: question, fieldErrors, asked } = askAboutAddress(form);
  if ("needsSignIn" in writer) {
    context.hasMistakes = true;
    const { needsSignIn, status } = writer;
    const sent = { result: submission.reply(), asked, failure: unsentReason(writer), needsSignIn };
    return data(sent, { status, headers: createAdminHeaders(setCookies) });
  }
  if (submission.status !== "success" || question !== null) {
    context.hasMistakes = true;
    const result = submission.reply({ fieldErrors });
    return data(
      { result, asked, failure: null, needsSignIn: false },
      { status: 400, headers: createAdminHeaders(setCookies) },
    );
  }
  const entered = await enterRequest(writer.client, site.settings.siteUrl, submission.value);
  if (!entered.ok) {
    context.hasMistakes = true;
    const sent = { result: submission.reply(), asked, failure: entered.text, needsSignIn: false };
    return data(sent, { status: entered.status, headers: createAdminHeaders(setCookies) });
  }
  const address = site.notices.addTo(`/admin/requests/${entered.data}`, "requestEntered");
  return redirect(address, { status: 303, headers: createAdminHeaders(setCookies) });
}

export default function EnterRequestPage() {
  const { today, isAdmin, generatedPasswordOf } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const form = (
    <EnterRequestForm today={today} lastResult={actionData?.result ?? null} askedAddress={actionData?.asked ?? null} />
  );
  if (!isAdmin)
    return (
      <UnsentText
        title="Nothing was saved"
        failure={actionData?.failure ?? null}
        needsSignIn={actionData?.needsSignIn === true}
      >
        {form}
      </UnsentText>
    );
  return (
    <AdminFrame subtitle={title} area="requests" overdueRequests={null} generatedPasswordOf={generatedPasswordOf}>
      {actionData?.failure ? <Notice tone="error" title={messageTitles.adminFailed} text={actionData.failure} /> : null}
      <p className="max-w-[43.5em]">
        Requests and complaints count no matter how they arrive. The deadline runs from the day of arrival. The person
        gets an email with a status link.
      </p>
      {form}
    </AdminFrame>
  );
}
