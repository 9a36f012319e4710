import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnsentText } from "~/features/admin/shared/unsent-text";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { EnterRequestForm } from "~/features/admin/rights-requests/enter-request-form";
import { enteredRequestSchema, enterRequest } from "~/features/admin/rights-requests/enter-request.server";
import { adminHeaders, findAdminPage, receiveTypedText } from "~/features/auth/admin-page.server";
import { getSite } from "~/server/default-site.server";
import { askAboutAddress } from "~/server/forms/address-question.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { Notice } from "~/ui/frame/notice";

const title = "Enter a request";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export function loader(args: LoaderFunctionArgs) {
  return findAdminPage(args, async () => ({}), { today: getSite(args.context).clock.today() });
}

/** Stores the request and redirects to its page. A failure returns what was typed. */
export async function action(args: ActionFunctionArgs) {
  const { site, form, admin, show, leadTo } = await receiveTypedText(args, () => true);
  const submission = parseForm(form, enteredRequestSchema(site.clock.today()));
  const { text: question, fieldErrors, asked } = askAboutAddress(form);
  const refuse = (failure: string | null, status: number, result = submission.reply()) =>
    show({ result, asked, failure }, status);
  if ("failure" in admin) return refuse(admin.failure, admin.status);
  if (submission.status !== "success" || question !== null) return refuse(null, 400, submission.reply({ fieldErrors }));
  const entered = await enterRequest(admin.client, site.settings.siteUrl, submission.value);
  if (!entered.ok) return refuse(entered.text, entered.status);
  return leadTo(`/admin/requests/${entered.data}`, "requestEntered");
}

export default function EnterRequestPage() {
  const { today, found } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const form = (
    <EnterRequestForm today={today} lastResult={actionData?.result ?? null} askedAddress={actionData?.asked ?? null} />
  );
  if (found === null)
    return (
      <UnsentText title="Nothing was saved" failure={actionData?.failure ?? null}>
        {form}
      </UnsentText>
    );
  return (
    <AdminFrame subtitle={title} area="requests" generatedPasswordOf={found.generatedPasswordOf}>
      {actionData?.failure ? <Notice tone="error" title={messageTitles.adminFailed} text={actionData.failure} /> : null}
      <p className="max-w-[43.5em]">
        Requests and complaints count no matter how they arrive. The deadline runs from the day of arrival. The person
        gets an email with a status link.
      </p>
      {form}
    </AdminFrame>
  );
}
