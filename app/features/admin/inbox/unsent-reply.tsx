import { TextAreaField } from "~/ui/forms/field";
import { ReplyForm } from "./replies/reply-form";
import type { ReplyFormState } from "./replies/reply.server";
import { UnsentText, unsentReasons } from "./replies/unsent-text";

/** A reply that could be neither sent nor saved, and whose message cannot be shown. */
export interface UnsentReplyProps {
  formState: ReplyFormState;
  /** path of the message's page */
  action: string;
  limit: number;
  /** whether it is the session that has ended */
  needsSignIn: boolean;
}

/** Gives back what was typed: to copy where the message is gone, else in a form that can be sent again. */
export function UnsentReply({ formState, action, limit, needsSignIn }: UnsentReplyProps) {
  return (
    <UnsentText
      title={formState.intent === "saveDraft" ? "Nothing was saved" : "Nothing was sent"}
      failure={formState.failure}
      needsSignIn={needsSignIn}
    >
      {formState.failure === unsentReasons.gone ? (
        <TextAreaField id="reply-text" label="Your reply" rows={10} readOnly defaultValue={formState.text} />
      ) : (
        <ReplyForm
          action={action}
          replyId={formState.reply}
          limit={limit}
          text={formState.text}
          seen={formState.seen}
          mistakes={{}}
          snippets={[]}
        />
      )}
    </UnsentText>
  );
}
