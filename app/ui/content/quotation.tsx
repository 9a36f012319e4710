/** Props of {@link Quotation}. */
export interface QuotationProps {
  quote: string;
  attribution: string;
}

/** A large quotation in a dark section. */
export function Quotation({ quote, attribution }: QuotationProps) {
  return (
    <div className="band tone-night">
      <figure className="wrap">
        <blockquote className="max-w-[17.5em] font-display text-(length:--text-quote) leading-tight">
          <p className="-indent-[0.42em] text-balance">{`“${quote}”`}</p>
        </blockquote>
        <figcaption className="mt-6 text-(--muted) text-balance">{attribution}</figcaption>
      </figure>
    </div>
  );
}
