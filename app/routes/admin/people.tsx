import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { AdminList, RemovalQuestion } from "~/features/admin/people/admin-list";
import { InvitationList, OtherPeople } from "~/features/admin/people/invitation-list";
import { InviteForm } from "~/features/admin/people/invite-form";
import { changePeople, loadPeople, peopleFormSchema } from "~/features/admin/people/people.server";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import type { QuestionField } from "~/features/admin/shared/question";
import { findQuestion } from "~/features/admin/shared/question.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { ConfirmFirst } from "~/features/auth/sign-in/confirm-first";
import { hasRecentSignIn, requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import {
  adminHeaders,
  badRequest,
  loadAdminPage,
  receiveAdminPost,
  requireData,
} from "~/features/auth/admin-page.server";
import { askAboutAddress } from "~/server/forms/address-question.server";
import { parseFields } from "~/server/forms/parse-form.server";
import { Notice } from "~/ui/frame/notice";

const title = "People";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export function loader(args: LoaderFunctionArgs) {
  return loadAdminPage(args, async ({ client }) => ({ people: requireData(await loadPeople(client)) }));
}

/** Sends or withdraws an invitation, or removes an admin, then redirects back to the page. */
export async function action(args: ActionFunctionArgs) {
  const { site, form, admin, show, leadTo } = await receiveAdminPost(args);
  const isInvitation = form.get("intent") === "invite";
  const isStale = isInvitation && !hasRecentSignIn(admin);
  if (!isInvitation) requireRecent(admin, "/admin/people");
  const change = parseFields(form, peopleFormSchema);
  const email = String(form.get("email") ?? "");
  const question = askAboutAddress(form);
  const mistake = change.success ? question.text : change.error.issues[0]?.message;
  const nothing: Refused = { email, mistake: null, asked: question.asked, text: null, fields: null, isStale: false };
  const refuse = (why: Partial<Refused>, status?: number) => show({ ...nothing, ...why }, status);
  if (isStale) return refuse({ isStale }, 403);
  if (!change.success || mistake) {
    if (!isInvitation) throw badRequest();
    return refuse({ mistake: mistake ?? null }, 400);
  }
  const removal = change.data.intent === "remove" ? findQuestion(form) : null;
  if (removal) return refuse({ fields: removal });
  const result = await changePeople(admin.client, site.settings.siteUrl, change.data);
  if (!result.ok) return refuse({ text: result.text }, result.status);
  return leadTo("/admin/people", result.data);
}

interface Refused {
  email: string;
  mistake: string | null;
  asked: string | null;
  text: string | null;
  /** fields of a removal to confirm */
  fields: QuestionField[] | null;
  isStale: boolean;
}

export default function PeoplePage() {
  const { people, unreadable, generatedPasswordOf } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>() ?? null;
  if (failed?.fields)
    return (
      <AdminFrame subtitle={title} area="people">
        <RemovalQuestion admins={people.admins} fields={failed.fields} />
      </AdminFrame>
    );
  return (
    <AdminFrame subtitle={title} area="people" generatedPasswordOf={generatedPasswordOf}>
      {failed?.isStale ? <ConfirmFirst next="/admin/people" /> : null}
      {failed?.text ? <Notice tone="error" title={messageTitles.adminFailed} text={failed.text} /> : null}
      <AdminList admins={people.admins} version={people.version} />
      <InvitationList invitations={people.invitations} version={people.version} />
      <UnreadableEntries ids={unreadable} />
      <InviteForm failed={failed} version={people.version} />
      <OtherPeople others={people.others} />
    </AdminFrame>
  );
}
