import type { SubmissionResult } from "@conform-to/react";
import { type ActionFunctionArgs, type LoaderFunctionArgs, type SerializeFrom, data, redirect } from "@remix-run/node";
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
import { UnsentText, unsentReason } from "~/features/admin/shared/unsent-text";
import { findWriter } from "~/features/auth/find-writer.server";
import { secondFactorPaths } from "~/features/auth/second-factor/second-factor-paths";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { ChangePasswordForm } from "~/features/auth/password/change-password-form";
import { passwordChangeSchema } from "~/features/auth/password/change-password.schema";
import { changePassword } from "~/features/auth/password/change-password.server";
import { requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { hasSecondFactor, requireAdminOr503 } from "~/features/auth/require-admin.server";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { guardPost, formatWait } from "~/server/forms/guard.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { Notice } from "~/ui/frame/notice";

const title = "Your account";

export const meta = unlistedMetaFor({ title });

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  otherSessionsEnded: ({ account }) => account?.sessions.length === 1,
};
export const handle = { ...adminAreaHandle, notices };

/** Passes on `Cache-Control: no-store`, and `Retry-After` after too many attempts. */
export const headers = passHeaders;

/** Loads the account. After a refused post, one that cannot be loaded is left out, so that the page returns the texts. */
export async function loader(args: LoaderFunctionArgs) {
  try {
    return await loadAccount(args);
  } catch (refusal) {
    if (args.context.hasMistakes && refusal instanceof Response)
      return data({ account: null, unreadable: [], nameLimits, generatedPasswordOf: null });
    throw refusal;
  }
}

async function loadAccount({ request, context }: LoaderFunctionArgs) {
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(getSite(context), request);
  const account = await getOwnAccount(client);
  return data(
    { account, unreadable: client.unreadable, nameLimits, generatedPasswordOf },
    { headers: createAdminHeaders(setCookies) },
  );
}

/** Data of a refused post. */
interface Refused {
  /** result of the password form */
  result: SubmissionResult | null;
  /** result of the form of name and signature */
  nameResult: SubmissionResult | null;
  failure: { title: string; text: string } | null;
  needsSignIn: boolean;
}

const nothing: Refused = { result: null, nameResult: null, failure: null, needsSignIn: false };

/** Saves the name, ends sessions or changes the password, then redirects back to the page. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form, address } = await guardPost(request, context);
  const isName = form.get("intent") === "save-name";
  const admin = isName ? await findWriter(site, request) : await requireAdminOr503(site, request);
  const { setCookies } = admin;
  if ("needsSignIn" in admin) {
    context.hasMistakes = true;
    const { needsSignIn, status } = admin;
    const failure = { title: messageTitles.adminFailed, text: unsentReason(admin) };
    const nameResult = parseForm(form, nameSchema).reply();
    return data({ ...nothing, nameResult, failure, needsSignIn }, { status, headers: createAdminHeaders(setCookies) });
  }
  const { client } = admin;
  const redirectBack = (message: MessageKey) =>
    redirect(site.notices.addTo("/admin/account", message), { status: 303, headers: createAdminHeaders(setCookies) });
  if (isName) {
    const nameForm = parseForm(form, nameSchema);
    const saved = nameForm.status === "success" ? await saveName(client, nameForm.value) : null;
    if (saved?.ok) return redirectBack(saved.data);
    context.hasMistakes = true;
    const failure = saved && { title: messageTitles.adminFailed, text: saved.text };
    const refused = { ...nothing, nameResult: nameForm.reply(), failure };
    return data(refused, { status: saved?.status ?? 400, headers: createAdminHeaders(setCookies) });
  }
  const sessionForm = parseForm(form, endSessionSchema);
  // Without a second factor, the password form itself asks for the full proof of identity.
  if (sessionForm.status === "success" || hasSecondFactor(admin.signedIn.user)) requireRecent(admin, "/admin/account");
  if (sessionForm.status === "success") {
    const ended = await endSessions(client, sessionForm.value);
    if (ended.ok) return redirectBack(ended.data);
    context.hasMistakes = true;
    const failure = { title: messageTitles.adminFailed, text: ended.text };
    return data({ ...nothing, failure }, { status: ended.status, headers: createAdminHeaders(setCookies) });
  }
  const submission = parseForm(form, passwordChangeSchema);
  const refuse = (status: number, text: string | null, mistake: Record<string, string[]> = {}, seconds?: number) => {
    context.hasMistakes = true;
    const result = submission.reply({ fieldErrors: mistake, hideFields: Object.keys(passwordChangeSchema.shape) });
    const responseHeaders = createAdminHeaders(setCookies);
    if (seconds !== undefined) responseHeaders.set("Retry-After", String(seconds));
    const failure = text === null ? null : { title: "The password was not changed", text };
    return data({ ...nothing, result, failure }, { status, headers: responseHeaders });
  };
  if (submission.status !== "success") return refuse(400, null);
  const { email } = await getOwnAccount(client);
  const owner = { supabase: client.supabase, email, request, address };
  const change = await changePassword(site, owner, submission.value);
  if (change.outcome === "mistake") return refuse(400, null, { [change.field]: [change.text] });
  if (change.outcome === "refused") return refuse(403, change.text);
  if (change.outcome === "broken") return refuse(503, change.text);
  if (change.outcome === "throttled") {
    const wait = formatWait(change.retryAfterSeconds);
    return refuse(429, `Too many attempts. Try again in ${wait}.`, {}, change.retryAfterSeconds);
  }
  return redirectBack("passwordChanged");
}

export default function AccountPage() {
  const { account, unreadable, nameLimits: limits, generatedPasswordOf } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>() ?? null;
  if (account === null)
    return (
      <UnsentText
        title="Nothing was saved"
        failure={refused?.failure?.text ?? null}
        needsSignIn={refused?.needsSignIn === true}
      >
        {refused?.nameResult ? (
          <NameForm account={{ name: "", signature: "" }} limits={limits} lastResult={refused.nameResult} />
        ) : null}
      </UnsentText>
    );
  return (
    <AdminFrame subtitle={title} area="account" overdueRequests={null} generatedPasswordOf={generatedPasswordOf}>
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
