import { replyWords } from "~/content/account/reply";
import { TextAreaField } from "~/ui/forms/field";
import { ReplyForm } from "./reply-form";
import type { KeptReply } from "./reply.server";

/** A reply that could be neither sent nor saved, and whose message cannot be shown. */
export interface UnsentReplyProps {
  kept: KeptReply;
  /** path of the message's page */
  action: string;
  limit: number;
  /** whether it is the session that has ended */
  asksForSignIn: boolean;
}

/** Gives back what was typed: to copy where the message is gone, else in a form that can be sent again, also after a sign-in in another tab. */
export function UnsentReply({ kept, action, limit, asksForSignIn }: UnsentReplyProps) {
  const { unsent } = replyWords;
  return (
    <div className="wrap max-w-3xl py-8">
      <h1 className="mb-4 text-(length:--text-title)">
        {kept.intent === "saveDraft" ? unsent.titleOfDraft : unsent.title}
      </h1>
      <p role="alert" className="mb-6 text-(--danger)">
        {kept.failure}
      </p>
      {asksForSignIn ? (
        <p className="mb-6">
          <a href="/login" target="_blank" rel="noopener" className="button">
            {unsent.signIn}
          </a>
        </p>
      ) : null}
      {kept.failure === unsent.gone ? (
        <TextAreaField id="reply-text" label={replyWords.label} rows={10} readOnly defaultValue={kept.text} />
      ) : (
        <ReplyForm action={action} replyId={kept.reply} limit={limit} text={kept.text} mistakes={{}} snippets={[]} />
      )}
    </div>
  );
}
