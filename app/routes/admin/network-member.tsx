import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
  data,
  redirect,
} from "@remix-run/node";
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
import { unsentReason } from "~/features/admin/shared/unsent-text";
import { findWriter } from "~/features/auth/find-writer.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { shortName } from "~/lib/short-name";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
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

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

/**
 * Loads the member. After a refused post, a member who cannot be loaded is left out, so that the page can return the
 * note.
 */
export async function loader(args: LoaderFunctionArgs) {
  try {
    return await loadMember(args);
  } catch (refusal) {
    if (args.context.hasMistakes && refusal instanceof Response) return data({ found: null });
    throw refusal;
  }
}

async function loadMember({ request, context, params }: LoaderFunctionArgs) {
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(getSite(context), request);
  const member = await requireMember(client, params.memberId);
  return data(
    { found: { member, unreadable: client.unreadable, generatedPasswordOf } },
    { headers: createAdminHeaders(setCookies) },
  );
}

/**
 * Reviews or removes the member, or sends their link, then redirects back to the page, or to the list. A failure returns
 * the note, even if the session has ended or the member is gone.
 */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const admin = hasTypedText(form) ? await findWriter(site, request) : await requireAdminOr503(site, request);
  const { setCookies } = admin;
  const submission = parseForm(form, memberFormSchema);
  const sent = { text: String(form.get("text") ?? ""), mistake: null, failure: null, entries: null, question: null };
  const refuse = (why: Partial<Refused>, status: number) => {
    context.hasMistakes = true;
    const kept = keepPost(form, { failure: why.failure ?? goneFailure });
    return data<Refused>({ ...sent, kept, ...why }, { status, headers: createAdminHeaders(setCookies) });
  };
  if ("needsSignIn" in admin) {
    const kept = keepPost(form, { failure: unsentReason(admin), needsSignIn: admin.needsSignIn });
    return refuse({ kept }, admin.status);
  }
  const { client } = admin;
  const member = await findMemberOf(client, params.memberId);
  if (member === null && hasTypedText(form))
    return refuse({ kept: keepPost(form, { failure: goneFailure, isGone: true }) }, 404);
  if (member === null) throw new Response(null, { status: 404, statusText: "Not Found" });
  if (submission.status !== "success") {
    const mistake = submission.error?.text?.[0];
    if (mistake === undefined) throw new Response(null, { status: 400, statusText: "Bad Request" });
    return refuse({ mistake }, 400);
  }
  if (submission.value.intent === "remove") requireRecent(admin, `${networkPath}/${member.id}`);
  const question = submission.value.intent === "remove" ? findQuestion(form) : null;
  if (question) return data<Refused>({ ...sent, kept: null, question }, { headers: createAdminHeaders(setCookies) });
  const result = await changeMember(client, site.settings.siteUrl, member, submission.value);
  if (!result.ok) return refuse({ failure: result.text, entries: readEntries(form) }, result.status);
  const next = submission.value.intent === "remove" ? networkPath : `${networkPath}/${member.id}`;
  const address = site.notices.addTo(next, result.data);
  return redirect(address, { status: 303, headers: createAdminHeaders(setCookies) });
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
      overdueRequests={null}
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

async function requireMember(client: Parameters<typeof findMember>[0], id: string | undefined) {
  const member = await findMemberOf(client, id);
  if (member === null) throw new Response(null, { status: 404, statusText: "Not Found" });
  return member;
}

/** Finds the member of the page's address; null if there is none. */
async function findMemberOf(client: Parameters<typeof findMember>[0], id: string | undefined) {
  const parsed = z.uuid().safeParse(id);
  const found = parsed.success ? await findMember(client, parsed.data) : null;
  if (found?.ok === false) throw new Response(null, { status: found.status });
  return found?.data ?? null;
}
