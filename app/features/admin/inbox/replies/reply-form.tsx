import { TextAreaField } from "~/ui/forms/field";
import { SelectField } from "~/ui/forms/select-field";
import { SeenField } from "../../shared/seen-field";
import type { ReplyFormState } from "./reply.server";
import type { Snippet } from "./snippets.server";

/** Ids of the controls. */
const replyControls = { text: "reply-text", snippet: "reply-snippet" } as const;

/** Lists the mistakes of a rejected reply, for the summary. */
export const listReplyMistakes = (formState: ReplyFormState | null) =>
  (["snippet", "text"] as const).map((name) => ({
    controlId: replyControls[name],
    text: formState?.mistakes[name],
  }));

/** Content of the reply form. */
export interface ReplyFormProps {
  /** path of the message's page */
  action: string;
  /** id of the reply, new for each form */
  replyId: string;
  text: string;
  hint?: string;
  mistakes: ReplyFormState["mistakes"];
  snippets: readonly Snippet[];
  /** version of the message that is shown */
  seen?: string | undefined;
  /** true if the message has changed since the form was first shown, so the form asks for confirmation */
  needsConfirmation?: boolean;
}

/** A plain form with three buttons. A rejected post returns with its text. */
export function ReplyForm(props: ReplyFormProps) {
  const { action, replyId, text, hint, mistakes, snippets, seen, needsConfirmation = false } = props;
  return (
    // Multipart: URL encoding takes nine bytes for a Chinese character, which would make the longest reply too large to
    // post.
    <form method="post" action={action} encType="multipart/form-data" noValidate className="grid max-w-2xl gap-5">
      <input type="hidden" name="reply" value={replyId} />
      {seen === undefined ? null : <SeenField version={seen} />}
      {snippets.length === 0 ? null : (
        <div className="reply-insert">
          <SelectField
            id={replyControls.snippet}
            name="snippet"
            label="Saved text"
            placeholder="Choose a text"
            options={snippets.map(({ id, name }) => ({ value: id, label: name, dir: "auto" }))}
            error={mistakes.snippet}
          />
          <button name="intent" value="insert" formAction={`${action}#reply`} className="button button-quiet">
            Insert
          </button>
        </div>
      )}
      <TextAreaField
        id={replyControls.text}
        name="text"
        label="Your reply"
        hint={hint}
        error={mistakes.text}
        rows={10}
        required
        defaultValue={text}
      />
      <p className="flex flex-wrap gap-x-4 gap-y-2">
        <button name="intent" value="send" className="button">
          {needsConfirmation ? "Send anyway" : "Send reply"}
        </button>{" "}
        <button name="intent" value="saveDraft" className="button button-quiet">
          Save draft
        </button>
      </p>
    </form>
  );
}
