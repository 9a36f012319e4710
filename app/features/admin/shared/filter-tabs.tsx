import { Link } from "@remix-run/react";

/** Props of {@link FilterTabs}. */
export interface FilterTabsProps {
  label: string;
  /** `isUrgent`: stands out */
  filters: readonly { name: string; label: string; address: string; count: number | null; isUrgent?: boolean }[];
  current: string;
  /** load each page as a document */
  reloadDocument?: boolean;
}

/** The filters of a list. They are links, not ARIA tabs, because each opens its own page. */
export function FilterTabs({ label, filters, current, reloadDocument }: FilterTabsProps) {
  return (
    <nav aria-label={label}>
      <ul className="filter-tabs">
        {filters.map((filter) => (
          <li key={filter.name}>
            <Link
              to={filter.address}
              reloadDocument={reloadDocument}
              className={filter.isUrgent ? "is-urgent" : undefined}
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
