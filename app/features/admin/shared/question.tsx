import { useActionData } from "@remix-run/react";
import { TallLink } from "~/ui/content/tall-link";
import { TitledSection } from "~/ui/content/titled-section";
import type { ReactNode } from "react";
import type { Refusal } from "~/server/forms/admin-refusal.server";

/** Props of {@link Question}: a permanent deletion and the form that does it. */
export interface QuestionProps {
  /** label of the button that deletes */
  button: string;
  /** address that the form posts to, and that leads back without a deletion */
  action: string;
  /** consequences */
  children: ReactNode;
}

/** Asks before a permanent deletion, with the words of the action, on a page that shows nothing else. */
export function Question({ button, action, children }: QuestionProps) {
  const { title, question = [] } = (useActionData() ?? {}) as Refusal;
  return (
    <TitledSection id="question" title={title} className="max-w-2xl">
      <div className="mt-2 grid gap-2 wrap-anywhere">{children}</div>
      <form method="post" action={action} className="mt-5 flex flex-wrap items-center gap-x-6 gap-y-3">
        {question?.map(({ name, value }) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="confirmed" value="yes" />
        <button className="button delete">{button}</button> <TallLink href={action}>Cancel</TallLink>
      </form>
    </TitledSection>
  );
}
