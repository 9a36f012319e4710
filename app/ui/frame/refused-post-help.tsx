import type { RefusedPost } from "~/lib/pages/refused-post";
import { TextAreaField } from "../forms/field";

/** Props of {@link RefusedPostHelp}. */
export interface RefusedPostHelpProps {
  /** null if something else went wrong */
  refused: RefusedPost | null;
  words: {
    /** label of the link to the form's page */
    open: (page: string) => string;
    title: string;
    hint: string;
  };
}

/** Links to the page that accepts the refused form, and shows the input to copy. */
export function RefusedPostHelp({ refused, words }: RefusedPostHelpProps) {
  if (refused === null) return null;
  const { page, typed } = refused;
  return (
    <>
      <p className="mt-6 text-xl">
        <a href={page} className="inline-block py-2 wrap-anywhere">
          {words.open(page)}
        </a>
      </p>
      {typed.length === 0 ? null : (
        <section aria-labelledby="typed" className="mt-8 grid max-w-2xl gap-5">
          <h2 id="typed" className="text-xl">
            {words.title}
          </h2>
          <p>{words.hint}</p>
          {typed.map(({ label, text }, at) => (
            <TextAreaField
              key={at}
              id={`typed-${at}`}
              label={label}
              rows={text.length > 80 || text.includes("\n") ? 8 : 1}
              readOnly
              defaultValue={text}
            />
          ))}
        </section>
      )}
    </>
  );
}
