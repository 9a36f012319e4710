import { Drawing, type DrawingProps } from "./drawing";

/** Props of {@link Outcome}. */
export interface OutcomeProps {
  /** the small heading above the sentence */
  title: string;
  text: string;
  /** shown beside the sentence */
  drawing?: DrawingProps | undefined;
}

/**
 * The outcome statement at the end of a page (REQUIREMENTS 2.5), in its dark section. On a phone it can have more lines
 * than a browser balances.
 */
export function Outcome({ title, text, drawing }: OutcomeProps) {
  return (
    <section aria-labelledby="outcome-title" className="band tone-night">
      <div className={`wrap${drawing ? " grid items-center gap-10 lg:grid-cols-[minmax(0,1fr)_22rem]" : ""}`}>
        <div>
          <h2 id="outcome-title" className="eyebrow">
            {title}
          </h2>
          <p className="max-w-[17.5em] font-display text-(length:--text-quote) leading-tight text-balance max-sm:text-pretty">
            {text}
          </p>
        </div>
        {drawing ? <Drawing {...drawing} /> : null}
      </div>
    </section>
  );
}
