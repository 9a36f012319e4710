import { Link } from "@remix-run/react";

/** Props of {@link Pager}. An address is null if no page follows. */
export interface PagerProps {
  label: string;
  previous: { label: string; address: string | null };
  next: { label: string; address: string | null };
}

/** Previous and next links of a list. It has no page numbers, because it uses keyset pagination. */
export function Pager({ label, previous, next }: PagerProps) {
  if (previous.address === null && next.address === null) return null;
  return (
    <nav aria-label={label} className="flex justify-between gap-6">
      {previous.address === null ? (
        <span />
      ) : (
        <Link to={previous.address} rel="prev" className="button button-quiet">
          {previous.label}
        </Link>
      )}
      {next.address === null ? null : (
        <Link to={next.address} rel="next" className="button button-quiet">
          {next.label}
        </Link>
      )}
    </nav>
  );
}
