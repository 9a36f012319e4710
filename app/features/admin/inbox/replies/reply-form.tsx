import { TextAreaField } from "~/ui/forms/field";
import { SelectField } from "~/ui/forms/select-field";
import { SeenField } from "../../shared/seen-field";
import type { ReplyFormState } from "./reply.server";
import type { Snippet } from "./snippets.server";

/** Ids of the controls, for the summary of mistakes. */
export const replyControls = { text: "reply-text", snippet: "reply-snippet" } as const;

/** The form of a reply. */
export interface ReplyFormProps {
  /** path of the message's page */
  action: string;
  /** of the form, new for each reply */
  replyId: string;
  /** most characters */
  limit: number;
  text: string;
  hint?: string;
  mistakes: ReplyFormState["mistakes"];
  snippets: readonly Snippet[];
  /** the version of the message that is shown with it */
  seen?: string | undefined;
  /** the message has changed since it was shown first, and the form asks whether to send all the same */
  needsConfirmation?: boolean;
}

/** A plain form with three buttons; whatever is refused comes back with its words. */
export function ReplyForm(props: ReplyFormProps) {
  const { action, replyId, limit, text, hint, mistakes, snippets, seen, needsConfirmation = false } = props;
  return (
    // Multipart: the other type writes a letter of Chinese in nine bytes, and the longest reply would be too large a form.
    <form method="post" action={action} encType="multipart/form-data" noValidate className="grid max-w-2xl gap-5">
      <input type="hidden" name="reply" value={replyId} />
      {seen === undefined ? null : <SeenField version={seen} />}
      <TextAreaField
        id={replyControls.text}
        name="text"
        label="Your reply"
        hint={hint}
        error={mistakes.text}
        rows={10}
        limit={limit}
        required
        defaultValue={text}
      />
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
      <p className="flex flex-wrap gap-x-4 gap-y-2">
        <button name="intent" value="send" className="button">
          {needsConfirmation ? "Send all the same" : "Send reply"}
        </button>
        <button name="intent" value="saveDraft" className="button button-quiet">
          Save draft
        </button>
      </p>
    </form>
  );
}
