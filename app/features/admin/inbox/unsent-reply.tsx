import { TextAreaField } from "~/ui/forms/field";
import { ReplyForm } from "./replies/reply-form";
import type { KeptReply } from "./replies/reply.server";
import { UnsentWords, unsentReasons } from "./replies/unsent-words";

/** A reply that could be neither sent nor saved, and whose message cannot be shown. */
export interface UnsentReplyProps {
  kept: KeptReply;
  /** path of the message's page */
  action: string;
  limit: number;
  /** whether it is the session that has ended */
  asksForSignIn: boolean;
}

/** Gives back what was typed: to copy where the message is gone, else in a form that can be sent again. */
export function UnsentReply({ kept, action, limit, asksForSignIn }: UnsentReplyProps) {
  return (
    <UnsentWords
      title={kept.intent === "saveDraft" ? "Nothing was saved" : "Nothing was sent"}
      failure={kept.failure}
      asksForSignIn={asksForSignIn}
    >
      {kept.failure === unsentReasons.gone ? (
        <TextAreaField id="reply-text" label="Your reply" rows={10} readOnly defaultValue={kept.text} />
      ) : (
        <ReplyForm
          action={action}
          replyId={kept.reply}
          limit={limit}
          text={kept.text}
          seen={kept.seen}
          mistakes={{}}
          snippets={[]}
        />
      )}
    </UnsentWords>
  );
}
