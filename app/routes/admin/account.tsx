import type { SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type MessageKey, type NoticeRules, messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import {
  endSessions,
  endSessionSchema,
  getOwnAccount,
  nameLimits,
  nameSchema,
  saveName,
} from "~/features/admin/account/account.server";
import { EventList } from "~/features/admin/account/event-list";
import { NameForm } from "~/features/admin/account/name-form";
import { SessionList } from "~/features/admin/account/session-list";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { UnsentText } from "~/features/admin/shared/unsent-text";
import { secondFactorPaths } from "~/features/auth/second-factor/second-factor-paths";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { ChangePasswordForm } from "~/features/auth/password/change-password-form";
import { passwordChangeSchema } from "~/features/auth/password/change-password.schema";
import { changePassword } from "~/features/auth/password/change-password.server";
import { requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { findAdminPage, receiveTypedText } from "~/features/auth/admin-page.server";
import { hasSecondFactor } from "~/features/auth/require-admin.server";
import { passHeaders } from "~/lib/pages/route-headers";
import { formatWait } from "~/server/forms/guard.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { Notice } from "~/ui/frame/notice";

const title = "Your account";

export const meta = unlistedMetaFor({ title });

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  otherSessionsEnded: ({ found }) => found?.account.sessions.length === 1,
};
export const handle = { ...adminAreaHandle, notices };

/** Passes on `Cache-Control: no-store`, and `Retry-After` after too many attempts. */
export const headers = passHeaders;

export function loader(args: LoaderFunctionArgs) {
  return findAdminPage(args, async ({ client }) => ({ account: await getOwnAccount(client) }), { nameLimits });
}

/** Data of a refused post. */
interface Refused {
  /** result of the password form */
  result: SubmissionResult | null;
  /** result of the form of name and signature */
  nameResult: SubmissionResult | null;
  failure: { title: string; text: string } | null;
}

/** Saves the name, ends sessions or changes the password, then redirects back to the page. */
export async function action(args: ActionFunctionArgs) {
  const { request, site, form, address, admin, show, leadTo } = await receiveTypedText(args, isNameForm);
  const leadBack = (notice: MessageKey) => leadTo("/admin/account", notice);
  const refuse = (why: Partial<Refused>, status: number, more?: Record<string, string>) =>
    show<Refused>({ result: null, nameResult: null, failure: null, ...why }, status, more);
  if ("failure" in admin) {
    const nameResult = parseForm(form, nameSchema).reply();
    return refuse({ nameResult, failure: describeFailure(admin.failure) }, admin.status);
  }
  const { client } = admin;
  if (isNameForm(form)) {
    const nameForm = parseForm(form, nameSchema);
    const saved = nameForm.status === "success" ? await saveName(client, nameForm.value) : null;
    if (saved?.ok) return leadBack(saved.data);
    const failure = saved && describeFailure(saved.text);
    return refuse({ nameResult: nameForm.reply(), failure }, saved?.status ?? 400);
  }
  const sessionForm = parseForm(form, endSessionSchema);
  // Without a second factor, the password form itself asks for the full proof of identity.
  if (sessionForm.status === "success" || hasSecondFactor(admin.signedIn.user)) requireRecent(admin, "/admin/account");
  if (sessionForm.status === "success") {
    const ended = await endSessions(client, sessionForm.value);
    return ended.ok ? leadBack(ended.data) : refuse({ failure: describeFailure(ended.text) }, ended.status);
  }
  const submission = parseForm(form, passwordChangeSchema);
  const refusePassword = (
    status: number,
    text: string | null,
    fieldErrors: Record<string, string[]> = {},
    more?: Record<string, string>,
  ) => {
    const result = submission.reply({ fieldErrors, hideFields: Object.keys(passwordChangeSchema.shape) });
    const failure = text === null ? null : { title: "The password was not changed", text };
    return refuse({ result, failure }, status, more);
  };
  if (submission.status !== "success") return refusePassword(400, null);
  const { email } = await getOwnAccount(client);
  const owner = { supabase: client.supabase, email, request, address };
  const change = await changePassword(site, owner, submission.value);
  if (change.outcome === "mistake") return refusePassword(400, null, { [change.field]: [change.text] });
  if (change.outcome === "refused") return refusePassword(403, change.text);
  if (change.outcome === "broken") return refusePassword(503, change.text);
  if (change.outcome === "throttled") {
    const wait = { "Retry-After": String(change.retryAfterSeconds) };
    return refusePassword(429, `Too many attempts. Try again in ${formatWait(change.retryAfterSeconds)}.`, {}, wait);
  }
  return leadBack("passwordChanged");
}

const isNameForm = (form: FormData) => form.get("intent") === "save-name";

const describeFailure = (text: string) => ({ title: messageTitles.adminFailed, text });

export default function AccountPage() {
  const { found, nameLimits: limits } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>() ?? null;
  if (found === null)
    return (
      <UnsentText title="Nothing was saved" failure={refused?.failure?.text ?? null}>
        {refused?.nameResult ? (
          <NameForm account={{ name: "", signature: "" }} limits={limits} lastResult={refused.nameResult} />
        ) : null}
      </UnsentText>
    );
  const { account, unreadable, generatedPasswordOf } = found;
  return (
    <AdminFrame subtitle={title} area="account" generatedPasswordOf={generatedPasswordOf}>
      {refused?.failure ? <Notice tone="error" {...refused.failure} /> : null}
      <p className="wrap-anywhere">{`You are signed in as ${account.email}.`}</p>
      <p>
        <a href={secondFactorPaths.own}>Set up or turn off two-step verification</a>
      </p>
      <NameForm account={account} limits={limits} lastResult={refused?.nameResult ?? null} />
      <ChangePasswordForm email={account.email} lastResult={refused?.result ?? null} />
      <SessionList sessions={account.sessions} />
      <EventList events={account.events} />
      <UnreadableEntries ids={unreadable} />
    </AdminFrame>
  );
}
