import type { MetaFunction, SerializeFrom } from "@remix-run/node";
import type { NoticeRules } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { WaitingMails } from "~/features/admin/delivery/waiting-mails";
import { changeMember, memberFormSchema } from "~/features/admin/network/change-member.server";
import { MemberFacts } from "~/features/admin/network/member-facts";
import { type FailedReview, MemberForms, noteId } from "~/features/admin/network/member-forms";
import { MemberLog } from "~/features/admin/network/member-log";
import { memberUrl, networkPath, networkUrl, readMemberList } from "~/features/admin/network/network-filters";
import { findMember } from "~/features/admin/network/network.server";
import { memberActions, memberActors, stateTabs } from "~/features/admin/network/network-words";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { EventLog } from "~/features/admin/shared/event-log";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { Question } from "~/features/admin/shared/question";
import {
  adminAction,
  adminHeaders,
  adminLoader,
  badRequest,
  readText,
  requireData,
  requireId,
} from "~/features/auth/admin-page.server";
import { requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { shortName } from "~/lib/short-name";
import { parseForm } from "~/server/forms/parse-form.server";
import { ErrorSummary } from "~/ui/forms/error-summary";

const fallbackTitle = "Investor network";

export const meta: MetaFunction<typeof loader> = (page) => {
  const name = page.data?.found?.member.name;
  return unlistedMetaFor({ title: name === undefined ? fallbackTitle : `Investor ${shortName(name)}` })(page);
};

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  memberAdmitted: ({ found }) => found?.member.state === "admitted",
  memberDeclined: ({ found }) => found?.member.state === "declined",
};
export const handle = { ...adminAreaHandle, notices };

export const headers = adminHeaders;

export const loader = adminLoader(async ({ client, request, params }) => ({
  member: requireData(await findMember(client, requireId(params.memberId))),
  list: readMemberList(request.url),
}));

/** Reviews or removes the member, or sends their link, then redirects. A failure returns the note. */
export const action = adminAction<FailedReview & { entries: number | null }>(
  async ({ request, params, site, form, admin, unconfirmed, show, leadTo }) => {
    const submission = parseForm(form, memberFormSchema);
    const member = requireData(await findMember(admin.client, requireId(params.memberId)));
    const sent = { text: readText(form, "text"), mistake: null };
    if (submission.status !== "success") {
      const mistake = submission.error?.text?.[0];
      if (mistake === undefined) throw badRequest();
      return show({ ...sent, mistake }, 400);
    }
    const { intent } = submission.value;
    const list = readMemberList(request.url);
    const address = memberUrl(member.id, list);
    if (intent === "remove") requireRecent(admin, address);
    if (intent === "remove" && unconfirmed) return show({ title: "Remove from the network?", question: unconfirmed });
    const result = await changeMember(admin.client, site.settings.siteUrl, member, submission.value);
    if (!result.ok) return show({ ...sent, failure: result.text, entries: readEntries(form) }, result.status);
    return leadTo(intent === "remove" ? (list ? networkUrl(list) : networkPath) : address, result.data);
  },
  {
    texts: [{ name: "text", label: "Your text", rows: 10 }],
    list: { label: "Go to the network", path: networkPath },
  },
);

export default adminPage<typeof loader, typeof action>(function AdminMemberPage({ found: { member, list }, refused }) {
  const address = memberUrl(member.id, list);
  const back = list ?? { state: member.state, kind: null, field: null, searchId: null, page: 1 };
  const { text = "", mistake = null, entries = null, question } = refused ?? {};
  const newEvents = entries === null ? [] : member.events.slice(entries);
  return (
    <AdminFrame
      subtitle={<bdi>{member.name}</bdi>}
      area="network"
      question={
        question && (
          <Question button="Remove permanently" action={address}>
            <p>
              <bdi>{member.name}</bdi>, {member.email}
            </p>
            <p>
              This permanently deletes their details, log, links and waiting emails of the network from this site. Only
              a code made from the address stays. Their messages stay, too. No email is sent.
            </p>
          </Question>
        )
      }
      failureDetails={
        newEvents.length === 0 ? null : <EventLog events={newEvents} actions={memberActions} actors={memberActors} />
      }
      back={{
        nav: "Investor network",
        label: back.searchId === null ? stateTabs[back.state] : "Search results",
        path: networkUrl(back),
      }}
    >
      <ErrorSummary mistakes={[{ controlId: noteId, text: mistake }]} />
      <WaitingMails mails={member.mails} />
      <div className="request-page">
        <div className="request-record">
          <MemberFacts member={member} />
          <MemberLog {...member} />
          <UnreadableEntries />
        </div>
        <MemberForms action={address} member={member} failed={{ text, mistake }} />
      </div>
    </AdminFrame>
  );
});

/** Reads how many entries of the log the form's page showed. The ones after them are new. */
function readEntries(form: FormData): number | null {
  const entries = readText(form, "entries");
  return /^\d{1,9}$/.test(entries) ? Number(entries) : null;
}
