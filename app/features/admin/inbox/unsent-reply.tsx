import { unsentReasons } from "~/content/messages";
import { TextAreaField } from "~/ui/forms/field";
import { ReplyForm } from "./replies/reply-form";
import type { ReplyFormState } from "./replies/reply.server";
import { UnsentText } from "../shared/unsent-text";

/** A reply that was neither sent nor saved, while its message cannot be shown. */
export interface UnsentReplyProps {
  formState: ReplyFormState;
  /** path of the message's page */
  action: string;
  limit: number;
}

/** Returns the typed text: in a form that can be sent again or, if the message is gone, to copy. */
export function UnsentReply({ formState, action, limit }: UnsentReplyProps) {
  return (
    <UnsentText
      title={formState.intent === "saveDraft" ? "Nothing was saved" : "Nothing was sent"}
      failure={formState.failure}
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
