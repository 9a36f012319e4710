import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction, SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData, useParams } from "@remix-run/react";
import { type NoticeRules, messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { submissionChangeSchema } from "~/features/admin/inbox/change-submission.server";
import { DeletionQuestion } from "~/features/admin/inbox/deletion-questions";
import { changeAndLeadOn, leadOn } from "~/features/admin/inbox/lead-on.server";
import { findMessage } from "~/features/admin/inbox/message.server";
import { MessageTitle, MessageWays } from "~/features/admin/inbox/message-ways";
import { findNeighbors } from "~/features/admin/inbox/neighbors.server";
import { SubmissionActions } from "~/features/admin/inbox/submission-actions";
import { MessageView } from "~/features/admin/inbox/message-view";
import { listReplyMistakes } from "~/features/admin/inbox/replies/reply-form";
import {
  type ReplyFormState,
  handleReply,
  findReplyPost,
  toFormState,
  replyLimit,
} from "~/features/admin/inbox/replies/reply.server";
import { listSnippets } from "~/features/admin/inbox/replies/snippets.server";
import { UnsentReply } from "~/features/admin/inbox/unsent-reply";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { keepPost } from "~/features/admin/shared/kept-post.server";
import { type KeptPost, KeptPostPage } from "~/features/admin/shared/kept-post";
import { messageUrl } from "~/features/admin/shared/filters";
import { readInboxPlace } from "~/features/admin/inbox/inbox-place.server";
import type { QuestionField } from "~/features/admin/shared/question";
import { findQuestion } from "~/features/admin/shared/question.server";
import {
  type AdminVisit,
  adminHeaders,
  badRequest,
  findAdminPage,
  receiveTypedText,
  requireData,
  requireId,
} from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { shortName } from "~/lib/short-name";
import { findRecipientsInUse } from "~/server/config/recipients-in-use.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/frame/notice";

export const meta: MetaFunction<typeof loader> = (page) => {
  const name = page.data?.found?.message.name;
  return unlistedMetaFor({ title: name === undefined ? "Admin Dashboard" : `Message from ${shortName(name)}` })(page);
};

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  draftSaved: ({ found }) => found !== null && found.message.draft !== null,
  draftDeleted: ({ found }) => found?.message.draft === null,
};
export const handle = { ...adminAreaHandle, notices };

export const headers = adminHeaders;

export function loader(args: LoaderFunctionArgs) {
  return findAdminPage(args, loadMessage, { limit: replyLimit });
}

async function loadMessage({ site, client, request, params }: AdminVisit) {
  const id = requireId(params.submissionId);
  const place = readInboxPlace(site, request);
  const [message, snippets, neighbors] = await Promise.all([
    findMessage(client, id),
    listSnippets(client),
    findNeighbors(client, id, place),
  ]);
  return {
    message: requireData(message),
    snippets: requireData(snippets),
    place: { filter: place.filter, searchId: place.searchId, cursor: place.cursor },
    neighbors: neighbors.ok ? neighbors.data : null,
    newReplyId: crypto.randomUUID(),
    sendsMail: findRecipientsInUse(site.settings).sendsMail,
  };
}

/** Data of a refused post, or of one that leads to a question. */
interface Refused {
  failure: string | null;
  formState: ReplyFormState | null;
  /** fields of a deletion to confirm */
  question: QuestionField[] | null;
  /** a post without a reply, in case the message can no longer be shown */
  kept: KeptPost | null;
}

/** Changes the message or replies to it, then redirects to the next one in its list. A failure returns the reply. */
export async function action(args: ActionFunctionArgs) {
  const post = await receiveTypedText(args, (posted) => findReplyPost(posted) !== null);
  const { request, params, site, form, admin, show, leadTo } = post;
  const refuse = (why: Partial<Refused>, status?: number) =>
    show<Refused>({ failure: null, formState: null, question: null, kept: null, ...why }, status);
  const reply = findReplyPost(form);
  if ("failure" in admin) {
    const { failure, status } = admin;
    return refuse({ failure, formState: reply && toFormState(reply, { failure }) }, status);
  }
  const { client } = admin;
  const place = readInboxPlace(site, request);
  if (reply) {
    const id = requireId(params.submissionId);
    const { done: outcome, findAddress } = await leadOn(client, place, { id, isFinished: true }, () =>
      handleReply(client, id, reply, site.settings.replyClock.timeZone),
    );
    if ("done" in outcome)
      return leadTo(outcome.done === "replySent" ? await findAddress() : messageUrl(id, place), outcome.done);
    const { formState, status } = outcome;
    return refuse({ failure: formState.failure, formState }, status);
  }
  const submission = parseForm(form, submissionChangeSchema);
  if (submission.status !== "success" || submission.value.id !== params.submissionId) throw badRequest();
  const question = submission.value.intent === "delete" ? findQuestion(form) : null;
  if (question) return refuse({ question });
  const result = await changeAndLeadOn(client, place, submission.value);
  if (!result.ok) return refuse({ failure: result.text, kept: keepPost(form, result.text) }, result.status);
  return leadTo(result.data.address, result.data.key);
}

const inbox = { label: "Go to the messages", path: "/admin" };

export default function AdminMessagePage() {
  const { found, limit } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { submissionId } = useParams();
  const address = found ? messageUrl(found.message.id, found.place) : `/admin/messages/${submissionId}`;
  const formState = refused?.formState ?? null;
  if (found === null) {
    if (refused?.kept) return <KeptPostPage kept={refused.kept} action={address} list={inbox} />;
    return formState && <UnsentReply formState={formState} action={address} limit={limit} />;
  }
  const { message, snippets, unreadable, place, neighbors, newReplyId, sendsMail, generatedPasswordOf } = found;
  return (
    <AdminFrame
      subtitle={<MessageTitle name={message.name} />}
      area="submissions"
      generatedPasswordOf={generatedPasswordOf}
      ways={<MessageWays id={message.id} place={place} neighbors={neighbors} />}
      actions={
        refused?.question ? null : <SubmissionActions submission={message} action={address} replyAddress="#reply" />
      }
    >
      {refused?.failure ? <Notice tone="error" title={messageTitles.adminFailed} text={refused.failure} /> : null}
      <ErrorSummary mistakes={listReplyMistakes(formState)} />
      {refused?.question ? (
        <DeletionQuestion action={address} fields={refused.question} shown={[message]} />
      ) : (
        <MessageView
          message={message}
          action={address}
          formState={formState}
          newReplyId={newReplyId}
          limit={limit}
          snippets={snippets}
          sendsMail={sendsMail}
        />
      )}
      <UnreadableEntries ids={unreadable} />
    </AdminFrame>
  );
}
