import type { MetaFunction, SerializeFrom } from "@remix-run/node";
import { type NoticeRules, unsentReasons } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { submissionChangeSchema } from "~/features/admin/inbox/change-submission.server";
import { DeletionQuestion, askToDelete } from "~/features/admin/inbox/deletion-questions";
import { changeAndLeadOn, rememberPlace } from "~/features/admin/inbox/lead-on.server";
import { findMessage } from "~/features/admin/inbox/message.server";
import { MessageWays } from "~/features/admin/inbox/message-ways";
import { findNeighbors } from "~/features/admin/inbox/neighbors.server";
import { SubmissionActions } from "~/features/admin/inbox/submission-actions";
import { MessageView } from "~/features/admin/inbox/message-view";
import { listReplyMistakes } from "~/features/admin/inbox/replies/reply-form";
import {
  type ReplyFormState,
  findReplyPost,
  handleReply,
  takeReplyBack,
} from "~/features/admin/inbox/replies/reply.server";
import { listSnippets } from "~/features/admin/inbox/replies/snippets.server";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { messageUrl } from "~/features/admin/shared/filters";
import { readInboxPlace } from "~/features/admin/inbox/inbox-place.server";
import {
  adminAction,
  adminHeaders,
  adminLoader,
  badRequest,
  requireData,
  requireId,
} from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { shortName } from "~/lib/short-name";
import { findRecipientsInUse } from "~/server/config/recipients-in-use.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { ErrorSummary } from "~/ui/forms/error-summary";

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

export const loader = adminLoader(async ({ site, client, request, params }) => {
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
});

/** Changes the message or replies to it, then redirects to the next one in its list. A failure returns the reply. */
export const action = adminAction<{ formState: ReplyFormState }>(
  async ({ request, params, site, form, admin: { client }, unconfirmed, show, leadTo }) => {
    const place = readInboxPlace(site, request);
    const reply = findReplyPost(form);
    if (reply) {
      const id = requireId(params.submissionId);
      const findNext = await rememberPlace(client, place, id);
      const { timeZone } = site.settings.replyClock;
      const outcome = await handleReply(client, id, reply, { timeZone, pauseMs: site.timeouts.replyPause });
      if ("done" in outcome)
        return leadTo(outcome.done === "replySent" ? await findNext(true) : messageUrl(id, place), outcome.done);
      const { formState, failure, status } = outcome;
      return show({ formState, failure }, status);
    }
    const back = await takeReplyBack(client, requireId(params.submissionId), form);
    if (back) {
      if ("failure" in back) return show({ failure: back.failure }, back.status);
      return leadTo(`${messageUrl(params.submissionId ?? "", place)}#reply`, back.done);
    }
    const submission = parseForm(form, submissionChangeSchema);
    if (submission.status !== "success" || submission.value.id !== params.submissionId) throw badRequest();
    if (submission.value.intent === "delete" && unconfirmed) return show(askToDelete(unconfirmed));
    const result = await changeAndLeadOn(client, place, submission.value);
    if (!result.ok) return show({ failure: result.text }, result.status);
    return leadTo(result.data.address, result.data.key);
  },
  {
    texts: [{ name: "text", label: "Your reply", rows: 10 }],
    list: { label: "Go to the messages", path: "/admin" },
    gone: unsentReasons.gone,
  },
);

export default adminPage<typeof loader, typeof action>(function AdminMessagePage({ found, refused }) {
  const { message, snippets, place, neighbors, newReplyId, sendsMail } = found;
  const address = messageUrl(message.id, place);
  const formState = refused?.formState ?? null;
  return (
    <AdminFrame
      subtitle={
        <>
          Message from <bdi>{message.name}</bdi>
        </>
      }
      area="submissions"
      ways={<MessageWays id={message.id} place={place} neighbors={neighbors} />}
      actions={<SubmissionActions submission={message} action={address} replyAddress="#reply" />}
      question={refused?.question && <DeletionQuestion action={address} fields={refused.question} shown={[message]} />}
    >
      <ErrorSummary mistakes={listReplyMistakes(formState)} />
      <MessageView
        message={message}
        action={address}
        formState={formState}
        newReplyId={newReplyId}
        snippets={snippets}
        sendsMail={sendsMail}
      />
      <UnreadableEntries />
    </AdminFrame>
  );
});
