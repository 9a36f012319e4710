import { unlistedMetaFor } from "~/content/page-meta";
import { AdminList, RemovalQuestion } from "~/features/admin/people/admin-list";
import { InvitationList, OtherPeople } from "~/features/admin/people/invitation-list";
import { InviteForm, type TypedAddress } from "~/features/admin/people/invite-form";
import { changePeople, loadPeople, peopleFormSchema } from "~/features/admin/people/people.server";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { hasRecentSignIn, requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { adminAction, adminHeaders, adminLoader, badRequest, requireData } from "~/features/auth/admin-page.server";
import { askAboutAddress } from "~/server/forms/address-question.server";
import { parseFields } from "~/server/forms/parse-form.server";

const title = "People";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export const loader = adminLoader(async ({ client }) => ({ people: requireData(await loadPeople(client)) }));

/** Sends or withdraws an invitation, or removes an admin, then redirects back to the page. */
export const action = adminAction<TypedAddress>(async ({ site, form, admin, unconfirmed, show, leadTo }) => {
  const isInvitation = form.get("intent") === "invite";
  if (!isInvitation) requireRecent(admin, "/admin/people");
  const change = parseFields(form, peopleFormSchema);
  const question = askAboutAddress(form);
  const typed = { email: String(form.get("email") ?? ""), asked: question.asked };
  if (!hasRecentSignIn(admin)) return show({ ...typed, isStale: true }, 403);
  const mistake = change.success ? question.text : change.error.issues[0]?.message;
  if (!change.success || mistake) {
    if (!isInvitation) throw badRequest();
    return show({ ...typed, mistake: mistake ?? null }, 400);
  }
  if (change.data.intent === "remove" && unconfirmed)
    return show({ title: "Remove this admin?", question: unconfirmed });
  const result = await changePeople(admin.client, site.settings.siteUrl, change.data);
  if (!result.ok) return show({ ...typed, failure: result.text }, result.status);
  return leadTo("/admin/people", result.data);
});

export default adminPage<typeof loader, typeof action>(function PeoplePage({ found: { people }, refused }) {
  return (
    <AdminFrame
      subtitle={title}
      area="people"
      question={refused?.question && <RemovalQuestion admins={people.admins} fields={refused.question} />}
    >
      <AdminList admins={people.admins} version={people.version} />
      <InvitationList invitations={people.invitations} version={people.version} />
      <UnreadableEntries />
      <InviteForm failed={refused} version={people.version} />
      <OtherPeople others={people.others} />
    </AdminFrame>
  );
});
