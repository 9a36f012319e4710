import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { AdminList, RemovalQuestion } from "~/features/admin/people/admin-list";
import { InvitationList, OtherPeople } from "~/features/admin/people/invitation-list";
import { InviteForm } from "~/features/admin/people/invite-form";
import { changePeople, loadPeople, peopleFormSchema } from "~/features/admin/people/people.server";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { findQuestion } from "~/features/admin/shared/question.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { ConfirmFirst } from "~/features/auth/sign-in/confirm-first";
import { hasRecentSignIn, requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { getSite } from "~/server/default-site.server";
import { askAboutAddress } from "~/server/forms/address-question.server";
import { guardPost } from "~/server/forms/guard.server";
import { parseFields } from "~/server/forms/parse-form.server";
import { Notice } from "~/ui/frame/notice";

const title = "People";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(getSite(context), request);
  const people = await loadPeople(client);
  if (!people.ok) throw new Response(people.text, { status: people.status });
  return data(
    { people: people.data, unreadable: client.unreadable, generatedPasswordOf },
    { headers: createAdminHeaders(setCookies) },
  );
}

/** Sends or withdraws an invitation, or removes an admin, then redirects back to the page. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const admin = await requireAdminOr503(site, request);
  const { client, setCookies } = admin;
  const isInvitation = form.get("intent") === "invite";
  const isStale = isInvitation && !hasRecentSignIn(admin);
  if (!isInvitation) requireRecent(admin, "/admin/people");
  const change = parseFields(form, peopleFormSchema);
  const email = String(form.get("email") ?? "");
  const question = askAboutAddress(form);
  const { asked } = question;
  const mistake = change.success ? question.text : change.error.issues[0]?.message;
  const refuse = (failure: { mistake?: string | null; isStale?: boolean; text?: string }, status: number) => {
    context.hasMistakes = true;
    const shown = { email, mistake: null, asked, text: null, fields: null, isStale: false, ...failure };
    return data(shown, { status, headers: createAdminHeaders(setCookies) });
  };
  if (isStale) return refuse({ isStale }, 403);
  if (!change.success || mistake) {
    if (!isInvitation) throw new Response(null, { status: 400, statusText: "Bad Request" });
    return refuse({ mistake: mistake ?? null }, 400);
  }
  const removal = change.data.intent === "remove" ? findQuestion(form) : null;
  if (removal) {
    const unconfirmed = { email, mistake: null, asked, text: null, fields: removal, isStale };
    return data(unconfirmed, { headers: createAdminHeaders(setCookies) });
  }
  const result = await changePeople(client, site.settings.siteUrl, change.data);
  if (!result.ok) return refuse({ text: result.text }, result.status);
  return redirect(site.notices.addTo("/admin/people", result.data), {
    status: 303,
    headers: createAdminHeaders(setCookies),
  });
}

export default function PeoplePage() {
  const { people, unreadable, generatedPasswordOf } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>() ?? null;
  if (failed?.fields)
    return (
      <AdminFrame subtitle={title} area="people" overdueRequests={null} generatedPasswordOf={null}>
        <RemovalQuestion admins={people.admins} fields={failed.fields} />
      </AdminFrame>
    );
  return (
    <AdminFrame subtitle={title} area="people" overdueRequests={null} generatedPasswordOf={generatedPasswordOf}>
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
