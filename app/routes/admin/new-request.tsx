import type { SubmissionResult } from "@conform-to/react";
import { unlistedMetaFor } from "~/content/page-meta";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { EnterRequestForm } from "~/features/admin/rights-requests/enter-request-form";
import { enteredRequestSchema, enterRequest } from "~/features/admin/rights-requests/enter-request.server";
import { adminAction, adminHeaders, adminLoader } from "~/features/auth/admin-page.server";
import { askAboutAddress } from "~/server/forms/address-question.server";
import { parseForm } from "~/server/forms/parse-form.server";
import type { AskedAddress } from "~/lib/pages/questioned-address";

const title = "Enter a request";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export const loader = adminLoader(async ({ site }) => ({ today: site.clock.today() }));

/** Stores the request and redirects to its page. A failure returns what was typed. */
export const action = adminAction<{ result: SubmissionResult; asked: AskedAddress | null }>(
  async ({ site, form, admin, show, leadTo }) => {
    const submission = parseForm(form, enteredRequestSchema(site.clock.today()));
    const { text: question, fieldErrors, asked } = askAboutAddress(form);
    if (submission.status !== "success" || question !== null)
      return show({ result: submission.reply({ fieldErrors }), asked }, 400);
    const entered = await enterRequest(admin.client, site.settings.siteUrl, submission.value);
    if (!entered.ok) return show({ result: submission.reply(), asked, failure: entered.text }, entered.status);
    return leadTo(`/admin/requests/${entered.data}`, "requestEntered");
  },
  {
    texts: [
      { name: "name", label: "Full name" },
      { name: "email", label: "Email" },
      { name: "description", label: "Details", rows: 6 },
    ],
  },
);

export default adminPage<typeof loader, typeof action>(function EnterRequestPage({ found: { today }, refused }) {
  return (
    <AdminFrame subtitle={title} area="requests">
      <p className="max-w-[43.5em]">
        Requests and complaints count no matter how they arrive. The deadline runs from the day of arrival. The person
        gets an email with a status link.
      </p>
      <EnterRequestForm today={today} lastResult={refused?.result ?? null} asked={refused?.asked ?? null} />
    </AdminFrame>
  );
});
