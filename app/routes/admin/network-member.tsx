import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction, SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData, useParams } from "@remix-run/react";
import { z } from "zod";
import { type NoticeRules, messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { WaitingMails } from "~/features/admin/delivery/waiting-mails";
import { changeMember, memberFormSchema } from "~/features/admin/network/change-member.server";
import { MemberFacts } from "~/features/admin/network/member-facts";
import { MemberForms, noteId } from "~/features/admin/network/member-forms";
import { EventItems, MemberLog } from "~/features/admin/network/member-log";
import { networkPath, networkUrl } from "~/features/admin/network/network-filters";
import { findMember } from "~/features/admin/network/network.server";
import { stateTabs } from "~/features/admin/network/network-words";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { type KeptPost, KeptPostPage } from "~/features/admin/shared/kept-post";
import { goneFailure, hasTypedText, keepPost } from "~/features/admin/shared/kept-post.server";
import { Question, type QuestionField } from "~/features/admin/shared/question";
import { findQuestion } from "~/features/admin/shared/question.server";
import {
  adminHeaders,
  badRequest,
  findAdminPage,
  receiveTypedText,
  requireData,
  requireId,
} from "~/features/auth/admin-page.server";
import { requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { shortName } from "~/lib/short-name";
import { parseForm } from "~/server/forms/parse-form.server";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/frame/notice";

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

export function loader(args: LoaderFunctionArgs) {
  return findAdminPage(args, async ({ client, params }) => ({
    member: requireData(await findMember(client, requireId(params.memberId))),
  }));
}

/** Reviews or removes the member, or sends their link, then redirects. A failure returns the note. */
export async function action(args: ActionFunctionArgs) {
  const { params, site, form, admin, show, leadTo } = await receiveTypedText(args, hasTypedText);
  const submission = parseForm(form, memberFormSchema);
  const sent = { text: String(form.get("text") ?? ""), mistake: null, failure: null, entries: null, question: null };
  const refuse = (why: Partial<Refused>, status?: number) =>
    show<Refused>({ ...sent, kept: keepPost(form, why.failure ?? goneFailure), ...why }, status);
  if ("failure" in admin) return refuse({ kept: keepPost(form, admin.failure) }, admin.status);
  const { client } = admin;
  const found = await findMember(client, requireId(params.memberId));
  if (found.ok && found.data === null && hasTypedText(form))
    return refuse({ kept: keepPost(form, goneFailure, true) }, 404);
  const member = requireData(found);
  if (submission.status !== "success") {
    const mistake = submission.error?.text?.[0];
    if (mistake === undefined) throw badRequest();
    return refuse({ mistake }, 400);
  }
  if (submission.value.intent === "remove") requireRecent(admin, `${networkPath}/${member.id}`);
  const question = submission.value.intent === "remove" ? findQuestion(form) : null;
  if (question) return refuse({ question });
  const result = await changeMember(client, site.settings.siteUrl, member, submission.value);
  if (!result.ok) return refuse({ failure: result.text, entries: readEntries(form) }, result.status);
  return leadTo(submission.value.intent === "remove" ? networkPath : `${networkPath}/${member.id}`, result.data);
}

/** Data of a refused post, or of one that leads to a question. */
interface Refused {
  text: string;
  mistake: string | null;
  failure: string | null;
  entries: number | null;
  question: QuestionField[] | null;
  /** the post, in case the member can no longer be shown */
  kept: KeptPost | null;
}

export default function AdminMemberPage() {
  const { found } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>() ?? null;
  const { memberId } = useParams();
  if (found === null)
    return (
      refused?.kept && (
        <KeptPostPage
          kept={refused.kept}
          action={`${networkPath}/${memberId}`}
          list={{ label: "Go to the network", path: networkPath }}
        />
      )
    );
  const { member, unreadable, generatedPasswordOf } = found;
  const address = `${networkPath}/${member.id}`;
  const list = networkUrl({ state: member.state, kind: null, field: null, page: 1 });
  const { failure = null, mistake = null, entries = null, question = null } = refused ?? {};
  const newEvents = entries === null ? [] : member.events.slice(entries);
  return (
    <AdminFrame
      subtitle={<bdi>{member.name}</bdi>}
      area="network"
      generatedPasswordOf={generatedPasswordOf}
      ways={
        <nav aria-label="Investor network" className="message-ways">
          <a href={list}>{`← ${stateTabs[member.state]}`}</a>
        </nav>
      }
    >
      {question ? (
        <Question
          title="Remove from the network?"
          button="Remove permanently"
          action={address}
          fields={question}
          back={address}
        >
          <p>
            <bdi>{member.name}</bdi>, {member.email}
          </p>
          <p>
            This permanently deletes their details, log, links and waiting emails of the network from this site. Only a
            code made from the address stays. Their messages stay, too. No email is sent.
          </p>
        </Question>
      ) : (
        <>
          {failure === null ? null : (
            <Notice tone="error" title={messageTitles.adminFailed} text={failure}>
              {newEvents.length === 0 ? null : <EventItems events={newEvents} />}
            </Notice>
          )}
          <ErrorSummary mistakes={mistake === null ? [] : [{ controlId: noteId, text: mistake }]} />
          <WaitingMails mails={member.mails} />
          <div className="request-page">
            <div className="request-record">
              <MemberFacts member={member} />
              <MemberLog {...member} />
              <UnreadableEntries ids={unreadable} />
            </div>
            <MemberForms action={address} member={member} failed={refused} />
          </div>
        </>
      )}
    </AdminFrame>
  );
}

/** Reads how many entries of the log the form's page showed. The ones after them are new. */
function readEntries(form: FormData): number | null {
  const entries = z
    .string()
    .regex(/^\d{1,9}$/)
    .safeParse(form.get("entries"));
  return entries.success ? Number(entries.data) : null;
}
