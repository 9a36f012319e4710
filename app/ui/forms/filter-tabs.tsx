import { Link } from "@remix-run/react";

/** Filters of a list, one of which is open. */
export interface FilterTabsProps {
  label: string;
  filters: readonly { name: string; label: string; address: string; count: number | null }[];
  current: string;
  /** each leads to a page of its own, which is loaded as a document */
  reloadDocument?: boolean;
}

/** Links, not tabs in ARIA's sense: each leads to a page of its own. */
export function FilterTabs({ label, filters, current, reloadDocument }: FilterTabsProps) {
  return (
    <nav aria-label={label}>
      <ul className="filter-tabs">
        {filters.map((filter) => (
          <li key={filter.name}>
            <Link
              to={filter.address}
              reloadDocument={reloadDocument}
              aria-current={filter.name === current ? "page" : undefined}
            >
              {filter.count === null ? filter.label : `${filter.label} (${filter.count})`}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
