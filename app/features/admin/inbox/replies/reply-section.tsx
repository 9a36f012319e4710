import { TallLink } from "~/ui/content/tall-link";
import { TitledSection } from "~/ui/content/titled-section";
import { company } from "~/content/company";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { mailAddress } from "../mail-address";
import type { Message } from "../message.server";
import { ReplyForm } from "./reply-form";
import type { ReplyFormState } from "./reply.server";
import { ReplyQuestion } from "./reply-question";
import { TakeBack } from "./take-back";
import { beginReply } from "./signature";
import type { Snippet } from "./snippets.server";

/** Everything needed to reply to a message. */
export interface ReplySectionProps {
  message: Message;
  /** path of the message's page */
  action: string;
  /** state of the form after the last post, else null */
  formState: ReplyFormState | null;
  /** id for a new form */
  newReplyId: string;
  snippets: readonly Snippet[];
  /** false if mails are written to files */
  sendsMail: boolean;
}

/**
 * Past replies, and the form for the next one. Spam and held-back messages get no form, unless there is typed text to
 * return.
 */
export function ReplySection({ message, action, formState, newReplyId, snippets, sendsMail }: ReplySectionProps) {
  const formatInstant = useInstantFormat();
  const { draft, email } = message;
  const isOpen = message.quarantine_reason === null && message.state !== "spam";
  const subject = encodeURIComponent(`Re: Your message to ${company.name}`);
  return (
    <>
      <SentReplies replies={message.replies} action={action} sendsMail={sendsMail} />
      <section id="reply" aria-labelledby="reply-title" className="mt-8">
        <h3 id="reply-title" className="sr-only">
          Reply
        </h3>
        {isOpen ? null : <p className="mt-2">Move this message to New to reply to it.</p>}
        {isOpen || formState ? (
          <>
            {draft && !formState ? (
              <p className="mt-2 wrap-anywhere text-(--muted)">
                {`Draft saved on ${formatInstant(draft.saved_at)}${draft.by ? ` by ${draft.by}` : ""}`}
              </p>
            ) : null}
            {formState?.needsConfirmation ? <ReplyQuestion message={message} seen={formState.seen} /> : null}
            <div className="mt-3">
              <ReplyForm
                action={action}
                replyId={formState?.reply ?? newReplyId}
                text={formState?.text ?? draft?.body ?? beginReply(message.signature)}
                hint={`Goes to ${email} as plain text, with their message quoted below. Sending it marks the message as done.`}
                mistakes={formState?.mistakes ?? {}}
                snippets={snippets}
                // After the question, the current version counts. A reply with only a mistake keeps the version it was
                // written for.
                seen={formState?.needsConfirmation === false ? formState.seen : String(message.version)}
                needsConfirmation={formState?.needsConfirmation}
              />
            </div>
            <p className="mt-3 flex flex-wrap gap-x-6">
              <TallLink href="/admin/snippets">Edit saved texts</TallLink>{" "}
              <TallLink href="/admin/account#own-name-title">
                {message.signature === "" ? "Add your name and signature" : "Edit your signature"}
              </TallLink>{" "}
              <TallLink href={`${mailAddress(email)}?subject=${subject}`}>Reply in your email app</TallLink>
            </p>
          </>
        ) : null}
      </section>
    </>
  );
}

const deliveryResults = {
  sent: "Sent.",
  filed: "No mail server is set up, so the email was saved as a file in the data folder.",
  waiting: "The email is waiting for the mail server.",
  "given-up": "Not delivered.",
};

function SentReplies({
  replies,
  action,
  sendsMail,
}: Pick<Message, "replies"> & Pick<ReplySectionProps, "action" | "sendsMail">) {
  const formatInstant = useInstantFormat();
  if (replies.length === 0) return null;
  return (
    <TitledSection id="replies" title="Replies" className="mt-8">
      <ol className="grid gap-5">
        {replies.map((reply) => (
          <li key={reply.id} className="mt-2 border-l-2 border-(--line) pl-4">
            <p
              className={
                reply.delivery === "given-up" ? "wrap-anywhere text-(--danger)" : "wrap-anywhere text-(--muted)"
              }
            >
              {`Written on ${formatInstant(reply.written_at)}${reply.by ? ` by ${reply.by}` : ""}.`}
              {reply.leaves_at
                ? " It leaves within half a minute."
                : reply.delivery
                  ? ` ${deliveryResults[reply.delivery === "sent" && !sendsMail ? "filed" : reply.delivery]}`
                  : null}
            </p>
            {reply.leaves_at ? <TakeBack action={action} reply={reply.id} /> : null}
            <p className="message-body mt-1" dir="auto">
              {reply.body}
            </p>
          </li>
        ))}
      </ol>
    </TitledSection>
  );
}
