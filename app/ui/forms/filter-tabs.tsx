/** Filters of a list, one of which is open. */
export interface FilterTabsProps {
  label: string;
  filters: readonly { name: string; label: string; address: string; count: number | null }[];
  current: string;
}

/** Links, not tabs in ARIA's sense: each leads to a page of its own. */
export function FilterTabs({ label, filters, current }: FilterTabsProps) {
  return (
    <nav aria-label={label}>
      <ul className="filter-tabs">
        {filters.map((filter) => (
          <li key={filter.name}>
            <a href={filter.address} aria-current={filter.name === current ? "page" : undefined}>
              {filter.count === null ? filter.label : `${filter.label} (${filter.count})`}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
