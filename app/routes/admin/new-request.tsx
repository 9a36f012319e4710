import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { EnterRequestForm } from "~/features/admin/rights-requests/enter-request-form";
import { enteredRequestSchema, enterRequest } from "~/features/admin/rights-requests/enter-request.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { getSite } from "~/server/default-site.server";
import { askAboutAddress } from "~/server/forms/address-question.server";
import { guardPost } from "~/server/forms/guard.server";
import { Notice } from "~/ui/frame/notice";

const title = "Enter a request";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  const { setCookies, generatedPasswordOf } = await requireAdminOr503(site, request);
  const today = site.clock.today();
  return data({ today, generatedPasswordOf }, { headers: createAdminHeaders(setCookies) });
}

/** Stores the request and redirects to its page. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const { client, setCookies } = await requireAdminOr503(site, request);
  const submission = parseWithZod(form, { schema: enteredRequestSchema(site.clock.today()) });
  const { text: question, fieldErrors, asked } = askAboutAddress(form);
  if (submission.status !== "success" || question !== null) {
    context.hasMistakes = true;
    const result = submission.reply({ fieldErrors });
    return data({ result, asked, failure: null }, { status: 400, headers: createAdminHeaders(setCookies) });
  }
  const entered = await enterRequest(client, site.settings.siteUrl, submission.value);
  if (!entered.ok) {
    context.hasMistakes = true;
    const sent = { result: submission.reply(), asked, failure: entered.text };
    return data(sent, { status: entered.status, headers: createAdminHeaders(setCookies) });
  }
  const address = site.notices.addTo(`/admin/requests/${entered.data}`, "requestEntered");
  return redirect(address, { status: 303, headers: createAdminHeaders(setCookies) });
}

export default function EnterRequestPage() {
  const { today, generatedPasswordOf } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  return (
    <AdminFrame subtitle={title} area="requests" overdueRequests={null} generatedPasswordOf={generatedPasswordOf}>
      {actionData?.failure ? <Notice tone="error" title={messageTitles.adminFailed} text={actionData.failure} /> : null}
      <p className="max-w-[43.5em]">
        Requests and complaints count no matter how they arrive. The deadline runs from the day of arrival. The person
        gets an email with a status link.
      </p>
      <EnterRequestForm
        today={today}
        lastResult={actionData?.result ?? null}
        askedAddress={actionData?.asked ?? null}
      />
    </AdminFrame>
  );
}
