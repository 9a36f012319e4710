/** One sentence set large. */
export interface PullQuoteProps {
  /** the small heading over it */
  title: string;
  text: string;
}

/** The outcome statement that closes a page (REQUIREMENTS 2.5), on its night section. */
export function Outcome({ title, text }: PullQuoteProps) {
  return (
    <section aria-labelledby="outcome-title" className="band tone-night">
      <div className="wrap">
        <h2 id="outcome-title" className="eyebrow">
          {title}
        </h2>
        <p className="max-w-[26ch] font-display text-(length:--text-quote) leading-tight">{text}</p>
      </div>
    </section>
  );
}
