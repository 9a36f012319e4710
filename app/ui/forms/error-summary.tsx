import { useEffect, useRef } from "react";

/** One mistake: what to do about it, and the id of its control. */
export interface FormMistake {
  controlId: string;
  text: string;
}

/** Title prefix of a page with mistakes, as the server writes it (see content/page-title). */
const errorTitlePrefix = "Error: ";

/**
 * All mistakes of a form in one place, each linked to its control (the GOV.UK pattern). With scripts, it takes focus
 * when the mistakes change, as after a full page load. Controls without a text have none.
 */
export function ErrorSummary(props: { mistakes: (Pick<FormMistake, "controlId"> & { text?: string | null })[] }) {
  const mistakes = props.mistakes.flatMap(({ controlId, text }) => (text ? [{ controlId, text }] : []));
  const box = useRef<HTMLDivElement>(null);
  const content = mistakes.map((mistake) => mistake.text).join("\n");
  useEffect(() => {
    if (!content) return;
    // In the next frame, because conform focuses the first invalid field in an effect that runs after this one.
    const frame = requestAnimationFrame(() => box.current?.focus());
    if (!document.title.startsWith(errorTitlePrefix)) document.title = errorTitlePrefix + document.title;
    return () => {
      cancelAnimationFrame(frame);
      if (document.title.startsWith(errorTitlePrefix)) document.title = document.title.slice(errorTitlePrefix.length);
    };
  }, [content]);
  if (mistakes.length === 0) return null;
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      aria-labelledby="error-summary-title"
      className="rounded-lg border-2 border-(--danger) bg-(--raised) px-5 py-4"
    >
      <h2 id="error-summary-title" className="text-xl">
        There is a problem
      </h2>
      <ul className="mt-2">
        {mistakes.map((mistake) => (
          <li key={mistake.controlId}>
            <a href={`#${mistake.controlId}`} className="inline-block py-1 font-semibold text-(--danger)">
              {mistake.text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
