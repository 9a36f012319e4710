import { Link } from "@remix-run/react";
import { FilterTabs } from "./filter-tabs";
import { listUrl } from "./filters";
import type { ListQuery } from "./list-query.server";
import { type FailedSearch, SearchForm } from "./search-form";

/** Tabs and search of a list. */
export interface ListBarProps {
  /** path of the full list */
  path: string;
  /** name of the tabs */
  label: string;
  filters: readonly string[];
  names: Readonly<Record<string, string>>;
  /** null if they do not cover what the search finds */
  counts: Readonly<Record<string, number>> | null;
  query: Omit<ListQuery<string>, "cursor">;
  /** address of a tab; by default without other parameters than the search */
  urlOf?: (filter: string) => string;
  failedSearch: FailedSearch | null;
}

/** Filters of a list with their counts, the search form, and the search term or that the one in the URL has expired. */
export function ListBar({ path, label, filters, names, counts, query, urlOf, failedSearch }: ListBarProps) {
  const { filter, search, searchId, isSearchOver } = query;
  return (
    <>
      <div className="inbox-bar">
        <FilterTabs
          label={label}
          current={filter}
          filters={filters.map((name) => ({
            name,
            label: names[name] ?? name,
            address: urlOf?.(name) ?? listUrl(path, { filter: name, searchId, cursor: null }),
            count: counts?.[name] ?? null,
            isUrgent: name === "late" && (counts?.[name] ?? 0) > 0,
          }))}
        />
        <SearchForm search={search} path={path} failed={failedSearch} />
      </div>
      {isSearchOver ? <p>That search has expired. This is the full list.</p> : null}
      {search === null || isSearchOver ? null : (
        <p className="flex flex-wrap items-center gap-x-4">
          <span className="wrap-anywhere">
            Showing results for “<bdi>{search}</bdi>
            ”.
          </span>
          <Link to={path} className="inline-flex min-h-11 items-center">
            Clear search
          </Link>
        </p>
      )}
    </>
  );
}
