import { PostButton } from "~/ui/forms/post-button";
import { TitledSection } from "~/ui/content/titled-section";
import { TextAreaField, TextField } from "~/ui/forms/field";
import { SeenField } from "../../shared/seen-field";
import type { Snippet } from "./snippets.server";

/** Rejected input of one of the forms; `id` is null for a new text. */
export interface FailedSnippet {
  id: string | null;
  name: string;
  body: string;
  mistakes: { name?: string | undefined; body?: string | undefined };
  /** version that the form was shown with */
  seen: string | undefined;
  needsConfirmation: boolean;
}

/** The saved texts with their forms. */
export interface SnippetFormsProps {
  snippets: readonly Snippet[];
  failed: FailedSnippet | null;
}

/** Ids of the controls of a text's form; null for a new text. */
export const snippetControls = (id: string | null) => ({ name: `name-${id ?? "new"}`, body: `body-${id ?? "new"}` });

/** Each text collapsed under its name, and a form for a new one. Works without scripts. */
export function SnippetForms({ snippets, failed }: SnippetFormsProps) {
  // If a colleague deleted the text meanwhile, it can only be added again.
  const isGone = failed !== null && !snippets.some(({ id }) => id === failed.id);
  const failedAt = (id: string | null) => (failed?.id === id || (id === null && isGone) ? failed : null);
  const seenOf = ({ id, version }: Snippet) => {
    const failedHere = failedAt(id);
    return failedHere && !failedHere.needsConfirmation ? failedHere.seen : String(version);
  };
  return (
    <>
      {snippets.length === 0 ? <p>No saved texts yet.</p> : null}
      <ul className="grid max-w-2xl gap-2">
        {snippets.map((snippet) => (
          <li key={snippet.id}>
            <details open={failed?.id === snippet.id} className="border-t border-(--line) pt-2">
              <summary className="summary-button wrap-anywhere">
                <bdi>{snippet.name}</bdi>
              </summary>
              {failedAt(snippet.id)?.needsConfirmation ? (
                <div className="mt-3 max-w-2xl rounded-lg border-2 border-(--danger) bg-(--raised) px-5 py-4">
                  <p className="font-semibold wrap-anywhere">{`Stored now: ${snippet.name}`}</p>
                  <p className="message-body mt-1" dir="auto">
                    {snippet.body}
                  </p>
                </div>
              ) : null}
              <SnippetForm
                id={snippet.id}
                seen={seenOf(snippet)}
                typed={failedAt(snippet.id) ?? { ...snippet, mistakes: {} }}
                submit="Save"
              />
              <PostButton
                action="/admin/snippets"
                intent="delete"
                fields={{ id: snippet.id, seen: snippet.version }}
                label="Delete"
                name={`Delete the text “${snippet.name}”`}
                formClassName="mt-3 mb-4"
              />
            </details>
          </li>
        ))}
      </ul>
      <TitledSection id="add" title="Add a text">
        <SnippetForm id={null} typed={failedAt(null) ?? { name: "", body: "", mistakes: {} }} submit="Add" />
      </TitledSection>
    </>
  );
}

interface SnippetFormProps {
  id: string | null;
  typed: Pick<FailedSnippet, "name" | "body" | "mistakes">;
  seen?: string | undefined;
  submit: string;
}

/** Form of one text; `id` is null for a new one. */
function SnippetForm({ id, typed, seen, submit }: SnippetFormProps) {
  const controls = snippetControls(id);
  return (
    <form method="post" action="/admin/snippets" noValidate className="mt-3 grid max-w-2xl gap-5">
      {id === null ? null : <input type="hidden" name="id" value={id} />}
      {seen === undefined ? null : <SeenField version={seen} />}
      <TextField
        label="Name"
        hint="Only admins see this name, in the list of saved texts."
        id={controls.name}
        name="name"
        required
        defaultValue={typed.name}
        error={typed.mistakes.name}
      />
      <TextAreaField
        label="Text"
        id={controls.body}
        name="body"
        rows={6}
        required
        defaultValue={typed.body}
        error={typed.mistakes.body}
      />
      <p>
        <button name="intent" value="save" className="button">
          {submit}
        </button>
      </p>
    </form>
  );
}
