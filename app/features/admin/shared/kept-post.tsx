import { TextAreaField } from "~/ui/forms/field";
import type { QuestionField } from "./question";
import { UnsentText } from "./unsent-text";

/** A post that changed nothing, and whose page may no longer be shown. */
export interface KeptPost {
  /** reason why nothing was changed */
  failure: string;
  /** typed text, or "" */
  text: string;
  /** the other fields of the form; null if sending it again cannot help */
  fields: QuestionField[] | null;
}

/** Props of {@link KeptPostPage}. */
export interface KeptPostPageProps {
  kept: KeptPost;
  /** path that the form was posted to */
  action: string;
  /** the list that the page belongs to */
  list: { label: string; path: string };
}

/** Explains the failure and returns the typed text: in a form that can be sent again or, if that cannot help, to copy. */
export function KeptPostPage({ kept: { failure, text, fields }, action, list }: KeptPostPageProps) {
  return (
    <UnsentText title="Nothing was changed" failure={failure} list={list}>
      {text === "" ? null : fields === null ? (
        <TextAreaField id="kept-text" label="Your text (not saved)" rows={10} readOnly defaultValue={text} />
      ) : (
        <form method="post" action={action} className="grid gap-3">
          {fields.map(({ name, value }, place) => (
            <input key={`${place}-${name}`} type="hidden" name={name} value={value} />
          ))}
          <TextAreaField id="kept-text" name="text" label="Your text" rows={10} defaultValue={text} />
          <p>
            <button className="button">Try again</button>
          </p>
        </form>
      )}
    </UnsentText>
  );
}
