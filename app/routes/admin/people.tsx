import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { AdminList, RemovalQuestion } from "~/features/admin/people/admin-list";
import { InvitationList, OtherPeople } from "~/features/admin/people/invitation-list";
import { InviteForm } from "~/features/admin/people/invite-form";
import { changePeople, loadPeople, peopleFormSchema } from "~/features/admin/people/people.server";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { findQuestion } from "~/features/admin/shared/question.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
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
  return data({ people: people.data, generatedPasswordOf }, { headers: createAdminHeaders(setCookies) });
}

/** Sends or withdraws an invitation, or removes an admin, then redirects back to the page. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const admin = await requireAdminOr503(site, request);
  const { client, setCookies } = admin;
  requireRecent(admin, "/admin/people");
  const change = parseFields(form, peopleFormSchema);
  const email = String(form.get("email") ?? "");
  const question = askAboutAddress(form);
  const { asked } = question;
  const mistake = change.success ? question.text : change.error.issues[0]?.message;
  if (!change.success || mistake) {
    if (form.get("intent") !== "invite") throw new Response(null, { status: 400, statusText: "Bad Request" });
    context.hasMistakes = true;
    const failure = { email, mistake: mistake ?? null, asked, text: null, fields: null };
    return data(failure, { status: 400, headers: createAdminHeaders(setCookies) });
  }
  const removal = change.data.intent === "remove" ? findQuestion(form) : null;
  if (removal) {
    const unconfirmed = { email, mistake: null, asked, text: null, fields: removal };
    return data(unconfirmed, { headers: createAdminHeaders(setCookies) });
  }
  const result = await changePeople(client, site.settings.siteUrl, change.data);
  if (!result.ok) {
    context.hasMistakes = true;
    const failure = { email, mistake: null, asked, text: result.text, fields: null };
    return data(failure, { status: result.status, headers: createAdminHeaders(setCookies) });
  }
  return redirect(site.notices.addTo("/admin/people", result.data), {
    status: 303,
    headers: createAdminHeaders(setCookies),
  });
}

export default function PeoplePage() {
  const { people, generatedPasswordOf } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>() ?? null;
  if (failed?.fields)
    return (
      <AdminFrame subtitle={title} area="people" overdueRequests={null} generatedPasswordOf={null}>
        <RemovalQuestion admins={people.admins} fields={failed.fields} />
      </AdminFrame>
    );
  return (
    <AdminFrame subtitle={title} area="people" overdueRequests={null} generatedPasswordOf={generatedPasswordOf}>
      {failed?.text ? <Notice tone="error" title={messageTitles.adminFailed} text={failed.text} /> : null}
      <AdminList admins={people.admins} version={people.version} />
      <InvitationList invitations={people.invitations} version={people.version} />
      <InviteForm failed={failed} version={people.version} />
      <OtherPeople others={people.others} />
    </AdminFrame>
  );
}
