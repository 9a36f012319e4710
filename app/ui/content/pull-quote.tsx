import { Drawing, type DrawingProps } from "./drawing";

/** One sentence set large. */
export interface PullQuoteProps {
  /** the small heading over it */
  title: string;
  text: string;
  /** stands beside it */
  drawing?: DrawingProps | undefined;
}

/** The outcome statement that closes a page (REQUIREMENTS 2.5), on its night section. */
export function Outcome({ title, text, drawing }: PullQuoteProps) {
  return (
    <section aria-labelledby="outcome-title" className="band tone-night">
      <div className={`wrap${drawing ? " grid items-center gap-10 lg:grid-cols-[minmax(0,1fr)_22rem]" : ""}`}>
        <div>
          <h2 id="outcome-title" className="eyebrow">
            {title}
          </h2>
          <p className="max-w-[26ch] font-display text-(length:--text-quote) leading-tight text-balance">{text}</p>
        </div>
        {drawing ? <Drawing {...drawing} /> : null}
      </div>
    </section>
  );
}
