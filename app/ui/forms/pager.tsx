import { Link } from "@remix-run/react";

/** The ways on from a page of a list; an address is null where nothing follows. */
export interface PagerProps {
  label: string;
  previous: { label: string; address: string | null };
  next: { label: string; address: string | null };
}

/** Leads through a list that has no page numbers, because it is paged by place. */
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
