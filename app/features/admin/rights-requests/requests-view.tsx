import { adminPage } from "~/content/account/admin";
import { adminRequestsPage } from "~/content/account/admin-requests";
import { enterRequestPage } from "~/content/account/enter-request";
import { FilterTabs } from "~/ui/forms/filter-tabs";
import { Pager } from "~/ui/forms/pager";
import { type RequestFilter, listAddress, requestFilters } from "../shared/filters";
import type { ListPlace } from "../shared/list-place.server";
import { RequestList } from "./request-list";
import type { RequestRow } from "./requests.server";
import { type FailedSearch, SearchForm, SearchStatus } from "../shared/search-form";

/** A page of requests and what stands around it. */
export interface RequestsViewProps extends ListPlace<RequestFilter> {
  requests: readonly RequestRow[];
  /** ISO date of the firm, from which the days that are left are counted */
  today: string;
  previous: string | null;
  next: string | null;
  counts: Record<RequestFilter, number>;
  failedSearch: FailedSearch | null;
}

const path = "/admin/requests";

/** Filters, search, and the requests of one page in the order in which they must be answered. */
export function RequestsView(props: RequestsViewProps) {
  const { filter, search, searchId, isSearchOver, requests, today, previous, next, counts, failedSearch } = props;
  const turnTo = (cursor: string | null) => cursor && listAddress(path, { filter, searchId, cursor });
  const { filters, pager, empty } = adminRequestsPage;
  return (
    <>
      <div className="inbox-bar">
        <FilterTabs
          label={filters.label}
          current={filter}
          filters={requestFilters.map((name) => ({
            name,
            label: filters[name],
            address: listAddress(path, { filter: name, searchId, cursor: null }),
            count: searchId === null ? counts[name] : null,
          }))}
        />
        <SearchForm search={search} path={path} failed={failedSearch} />
      </div>
      <SearchStatus search={search} isOver={isSearchOver} path={path} />
      <p>
        <a href={`${path}/new`}>{enterRequestPage.link}</a>
      </p>
      {requests.length === 0 ? (
        <p className="rounded-xl border border-(--line) bg-(--raised) px-6 py-12 text-center">
          {search === null ? empty : adminPage.nothingFound}
        </p>
      ) : (
        <RequestList requests={requests} today={today} />
      )}
      <Pager
        label={pager.label}
        previous={{ label: pager.previous, address: turnTo(previous) }}
        next={{ label: pager.next, address: turnTo(next) }}
      />
    </>
  );
}
