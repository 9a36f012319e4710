import { adminPage } from "~/content/account/admin";
import { adminRequestsPage } from "~/content/account/admin-requests";
import { enterRequestPage } from "~/content/account/enter-request";
import { FilterTabs } from "~/ui/forms/filter-tabs";
import { Pager } from "~/ui/forms/pager";
import { type RequestFilter, listAddress, requestFilters } from "../shared/filters";
import { RequestList } from "./request-list";
import type { RequestRow } from "./requests.server";
import { SearchForm } from "../shared/search-form";

/** A page of requests and what stands around it. */
export interface RequestsViewProps {
  filter: RequestFilter;
  search: string | null;
  cursor: string | null;
  requests: readonly RequestRow[];
  previous: string | null;
  next: string | null;
  counts: Record<RequestFilter, number>;
}

const path = "/admin/requests";

/** Filters, search, and the requests of one page in the order in which they must be answered. */
export function RequestsView({ filter, search, cursor, requests, previous, next, counts }: RequestsViewProps) {
  const { filters, pager, empty } = adminRequestsPage;
  return (
    <>
      <FilterTabs
        label={filters.label}
        current={filter}
        filters={requestFilters.map((name) => ({
          name,
          label: filters[name],
          address: listAddress(path, name, null),
          count: counts[name],
        }))}
      />
      <SearchForm search={search} action={listAddress(path, filter, cursor)} />
      <p>
        <a href={`${path}/new`}>{enterRequestPage.link}</a>
      </p>
      {requests.length === 0 ? (
        <p className="rounded-xl border border-(--line) bg-(--raised) px-6 py-12 text-center">
          {search === null ? empty : adminPage.nothingFound}
        </p>
      ) : (
        <RequestList requests={requests} />
      )}
      <Pager
        label={pager.label}
        previous={{ label: pager.previous, address: previous && listAddress(path, filter, previous) }}
        next={{ label: pager.next, address: next && listAddress(path, filter, next) }}
      />
    </>
  );
}
