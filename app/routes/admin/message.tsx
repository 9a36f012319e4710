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
  type ReplyPost,
  handleReply,
  findReplyPost,
  toFormState,
  replyLimit,
} from "~/features/admin/inbox/replies/reply.server";
import { listSnippets } from "~/features/admin/inbox/replies/snippets.server";
import { unsentReason } from "~/features/admin/shared/unsent-text";
import { UnsentReply } from "~/features/admin/inbox/unsent-reply";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { keepPost } from "~/features/admin/shared/kept-post.server";
import { type KeptPost, KeptPostPage } from "~/features/admin/shared/kept-post";
import { messageUrl } from "~/features/admin/shared/filters";
import { readInboxPlace } from "~/features/admin/inbox/inbox-place.server";
import type { QuestionField } from "~/features/admin/shared/question";
import { findQuestion } from "~/features/admin/shared/question.server";
import { findWriter } from "~/features/auth/find-writer.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { shortName } from "~/lib/short-name";
import { findRecipientsInUse } from "~/server/config/recipients-in-use.server";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
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

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

/**
 * Loads the message. After a refused post, a message that cannot be loaded is left out, so that the page can give the
 * reason and return the reply's text.
 */
export async function loader(args: LoaderFunctionArgs) {
  try {
    return await loadMessage(args);
  } catch (refusal) {
    if (args.context.hasMistakes && refusal instanceof Response) return data({ found: null, limit: replyLimit });
    throw refusal;
  }
}

async function loadMessage({ request, context, params }: LoaderFunctionArgs) {
  const site = getSite(context);
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(site, request);
  const id = z.uuid().safeParse(params.submissionId);
  if (!id.success) throw new Response(null, { status: 404, statusText: "Not Found" });
  const place = readInboxPlace(site, request);
  const [message, snippets, neighbors] = await Promise.all([
    findMessage(client, id.data),
    listSnippets(client),
    findNeighbors(client, id.data, place),
  ]);
  if (!message.ok) throw new Response(null, { status: message.status });
  if (!message.data) throw new Response(null, { status: 404, statusText: "Not Found" });
  if (!snippets.ok) throw new Response(null, { status: snippets.status });
  const found = {
    message: message.data,
    snippets: snippets.data,
    unreadable: client.unreadable,
    place: { filter: place.filter, searchId: place.searchId, cursor: place.cursor },
    neighbors: neighbors.ok ? neighbors.data : null,
    newReplyId: crypto.randomUUID(),
    sendsMail: findRecipientsInUse(site.settings).sendsMail,
    generatedPasswordOf,
  };
  return data({ found, limit: replyLimit }, { headers: createAdminHeaders(setCookies) });
}

/** Changes the message or replies to it, then redirects to its list, where the next message is open. */
export async function action(args: ActionFunctionArgs) {
  const { request, context, params } = args;
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const reply = findReplyPost(form);
  if (reply) return postReply(args, reply);
  const { client, setCookies } = await requireAdminOr503(site, request);
  const submission = parseForm(form, submissionChangeSchema);
  if (submission.status !== "success" || submission.value.id !== params.submissionId)
    throw new Response(null, { status: 400, statusText: "Bad Request" });
  const question = submission.value.intent === "delete" ? findQuestion(form) : null;
  if (question) return data({ ...nothing, question }, { headers: createAdminHeaders(setCookies) });
  const result = await changeAndLeadOn(client, readInboxPlace(site, request), submission.value);
  if (!result.ok) {
    context.hasMistakes = true;
    const refused = { ...nothing, failure: result.text, kept: keepPost(form, { failure: result.text }) };
    return data(refused, { status: result.status, headers: createAdminHeaders(setCookies) });
  }
  const address = site.notices.addTo(result.data.address, result.data.key);
  return redirect(address, { status: 303, headers: createAdminHeaders(setCookies) });
}

/** Where a message that is gone leads. */
const inbox = { label: "Go to the messages", path: "/admin" };

/** Data of a refused post. */
interface Refused {
  failure: string | null;
  formState: ReplyFormState | null;
  needsSignIn: boolean;
  /** fields of a deletion to confirm */
  question: QuestionField[] | null;
  /** a post without a reply, in case the message can no longer be shown */
  kept: KeptPost | null;
}

const nothing: Refused = { failure: null, formState: null, needsSignIn: false, question: null, kept: null };

/** Handles a reply and returns its text after any failure: the session may have ended while the admin was writing. */
async function postReply({ request, context, params }: ActionFunctionArgs, reply: ReplyPost) {
  const site = getSite(context);
  const keep = (refused: Refused, status: number, setCookies: readonly string[]) => {
    context.hasMistakes = status >= 400;
    return data(refused, { status, headers: createAdminHeaders(setCookies) });
  };
  const admin = await findWriter(site, request);
  if ("needsSignIn" in admin) {
    const { needsSignIn, status } = admin;
    const failure = unsentReason(admin);
    return keep(
      { ...nothing, failure, formState: toFormState(reply, { failure }), needsSignIn },
      status,
      admin.setCookies,
    );
  }
  const { client, setCookies } = admin;
  const id = z.uuid().safeParse(params.submissionId);
  if (!id.success) throw new Response(null, { status: 404, statusText: "Not Found" });
  const place = readInboxPlace(site, request);
  const { done: outcome, findAddress } = await leadOn(client, place, { id: id.data, isFinished: true }, () =>
    handleReply(client, id.data, reply, site.settings.replyClock.timeZone),
  );
  if ("formState" in outcome) {
    const { formState, status } = outcome;
    return keep({ ...nothing, failure: formState.failure, formState }, status, setCookies);
  }
  const next = outcome.done === "replySent" ? await findAddress() : messageUrl(id.data, place);
  const address = site.notices.addTo(next, outcome.done);
  return redirect(address, { status: 303, headers: createAdminHeaders(setCookies) });
}

export default function AdminMessagePage() {
  const { found, limit } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { submissionId } = useParams();
  const address = found ? messageUrl(found.message.id, found.place) : `/admin/messages/${submissionId}`;
  const formState = refused?.formState ?? null;
  if (found === null) {
    if (refused?.kept) return <KeptPostPage kept={refused.kept} action={address} list={inbox} />;
    return (
      formState && (
        <UnsentReply formState={formState} action={address} limit={limit} needsSignIn={refused?.needsSignIn === true} />
      )
    );
  }
  const { message, snippets, unreadable, place, neighbors, newReplyId, sendsMail, generatedPasswordOf } = found;
  return (
    <AdminFrame
      subtitle={<MessageTitle name={message.name} />}
      area="submissions"
      overdueRequests={null}
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
