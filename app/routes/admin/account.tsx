import type { SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/node";
import type { MessageKey, NoticeRules } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import {
  endSessions,
  endSessionSchema,
  getOwnAccount,
  nameSchema,
  saveName,
} from "~/features/admin/account/account.server";
import { EventList } from "~/features/admin/account/event-list";
import { NameForm } from "~/features/admin/account/name-form";
import { SessionList } from "~/features/admin/account/session-list";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { secondFactorPaths } from "~/lib/pages/second-factor-paths";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { ChangePasswordForm } from "~/features/auth/password/change-password-form";
import { passwordChangeSchema } from "~/features/auth/password/change-password.schema";
import { changePassword } from "~/features/auth/password/change-password.server";
import { requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { adminAction, adminLoader } from "~/features/auth/admin-page.server";
import { hasSecondFactor } from "~/features/auth/require-admin.server";
import { passHeaders } from "~/lib/pages/route-headers";
import { formatWait } from "~/server/forms/guard.server";
import { parseForm } from "~/server/forms/parse-form.server";

const title = "Your account";

export const meta = unlistedMetaFor({ title });

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  otherSessionsEnded: ({ found }) => found?.account.sessions.length === 1,
};
export const handle = { ...adminAreaHandle, notices };

/** Passes on `Cache-Control: no-store`, and `Retry-After` after too many attempts. */
export const headers = passHeaders;

export const loader = adminLoader(async ({ client }) => ({ account: await getOwnAccount(client) }));

/** Results of the forms for the password, and for name and signature. */
interface Refused {
  result: SubmissionResult;
  nameResult: SubmissionResult;
}

/** Saves the name, ends sessions or changes the password, then redirects back to the page. */
export const action = adminAction<Refused>(
  async ({ request, site, form, address, admin, show, leadTo }) => {
    const leadBack = (notice: MessageKey) => leadTo("/admin/account", notice);
    const { client } = admin;
    if (form.get("intent") === "save-name") {
      const nameForm = parseForm(form, nameSchema);
      const nameResult = nameForm.reply();
      if (nameForm.status !== "success") return show({ nameResult }, 400);
      const saved = await saveName(client, nameForm.value);
      return saved.ok ? leadBack(saved.data) : show({ nameResult, failure: saved.text }, saved.status);
    }
    const sessionForm = parseForm(form, endSessionSchema);
    // Without a second factor, the password form itself asks for the full proof of identity.
    if (sessionForm.status === "success" || hasSecondFactor(admin.signedIn.user))
      requireRecent(admin, "/admin/account");
    if (sessionForm.status === "success") {
      const ended = await endSessions(client, sessionForm.value);
      return ended.ok ? leadBack(ended.data) : show({ failure: ended.text }, ended.status);
    }
    const submission = parseForm(form, passwordChangeSchema);
    const refuse = (
      status: number,
      failure?: string,
      fieldErrors: Record<string, string[]> = {},
      more?: Record<string, string>,
    ) => {
      const result = submission.reply({ fieldErrors, hideFields: Object.keys(passwordChangeSchema.shape) });
      // A service that broke may have changed it first.
      const certain = status === 503 ? {} : { failureTitle: "The password was not changed" };
      return show({ result, failure, ...certain }, status, more);
    };
    if (submission.status !== "success") return refuse(400);
    const { email } = await getOwnAccount(client);
    const owner = { supabase: client.supabase, email, request, address };
    const change = await changePassword(site, owner, submission.value);
    if (change.outcome === "mistake") return refuse(400, undefined, { [change.field]: [change.text] });
    if (change.outcome === "refused") return refuse(403, change.text);
    if (change.outcome === "broken") return refuse(503, change.text);
    if (change.outcome === "throttled") {
      const wait = { "Retry-After": String(change.retryAfterSeconds) };
      return refuse(429, `Too many attempts. Try again in ${formatWait(change.retryAfterSeconds)}.`, {}, wait);
    }
    return leadBack("passwordChanged");
  },
  {
    texts: [
      { name: "name", label: "Your name" },
      { name: "signature", label: "Signature", rows: 4 },
    ],
  },
);

export default adminPage<typeof loader, typeof action>(function AccountPage({ found: { account }, refused }) {
  return (
    <AdminFrame subtitle={title} area="account">
      <p className="wrap-anywhere">{`You are signed in as ${account.email}.`}</p>
      <p>
        <a href={secondFactorPaths.own}>Set up or turn off two-step verification</a>
      </p>
      <NameForm account={account} lastResult={refused?.nameResult ?? null} />
      <ChangePasswordForm email={account.email} lastResult={refused?.result ?? null} />
      <SessionList sessions={account.sessions} />
      <EventList events={account.events} />
      <UnreadableEntries />
    </AdminFrame>
  );
});
