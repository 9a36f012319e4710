import { useEffect, useRef } from "react";

/** One mistake: what to do about it, and the id of the control where it is done. */
export interface FormMistake {
  controlId: string;
  text: string;
}

/** Stands before a page's title while the page shows mistakes, so that a screen reader says so first. */
export const errorTitlePrefix = "Error: ";

/**
 * All mistakes of a form in one place, each a link to its control (the GOV.UK pattern).
 * Where scripts run it takes the focus when the mistakes change, as a freshly loaded page would.
 */
export function ErrorSummary({ mistakes }: { mistakes: FormMistake[] }) {
  const box = useRef<HTMLDivElement>(null);
  const content = mistakes.map((mistake) => mistake.text).join("\n");
  useEffect(() => {
    if (!content) return;
    box.current?.focus();
    if (!document.title.startsWith(errorTitlePrefix)) document.title = errorTitlePrefix + document.title;
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
