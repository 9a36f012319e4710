import { FilterTabs } from "~/ui/forms/filter-tabs";
import { Pager } from "~/ui/forms/pager";
import { type RequestFilter, listUrl, requestFilters } from "../shared/filters";
import type { ListQuery } from "../shared/list-query.server";
import { RequestList } from "./request-list";
import type { RequestRow } from "./requests.server";
import type { UnreadableIds } from "../shared/readable-rows.server";
import { UnreadableEntries } from "../shared/unreadable-entries";
import { type FailedSearch, SearchForm, SearchStatus } from "../shared/search-form";

/** A page of requests, with counts and search. */
export interface RequestsViewProps extends ListQuery<RequestFilter> {
  requests: readonly RequestRow[];
  unreadable: UnreadableIds;
  /** ISO date in the firm's time zone, from which the days left are counted */
  today: string;
  previous: string | null;
  next: string | null;
  counts: Record<RequestFilter, number>;
  failedSearch: FailedSearch | null;
}

const path = "/admin/requests";

const filterNames: Record<RequestFilter, string> = {
  active: "Active",
  unconfirmed: "Not confirmed",
  open: "Open",
  in_progress: "In progress",
  closed: "Closed",
  quarantined: "Suspicious",
  restricted: "Restricted",
};

/** Filters without a tab while they are empty. */
const rareFilters: readonly RequestFilter[] = ["quarantined", "restricted"];

/** Filters, search, and one page of requests, ordered by urgency. */
export function RequestsView(props: RequestsViewProps) {
  const { filter, search, searchId, isSearchOver, requests, unreadable, today, previous, next, counts, failedSearch } =
    props;
  const pageUrl = (cursor: string | null) => cursor && listUrl(path, { filter, searchId, cursor });
  return (
    <>
      <div className="inbox-bar">
        <FilterTabs
          label="Requests by state"
          current={filter}
          filters={requestFilters
            .filter((name) => name === filter || counts[name] > 0 || !rareFilters.includes(name))
            .map((name) => ({
              name,
              label: filterNames[name],
              address: listUrl(path, { filter: name, searchId, cursor: null }),
              count: searchId === null ? counts[name] : null,
            }))}
        />
        <SearchForm search={search} path={path} failed={failedSearch} />
      </div>
      <SearchStatus search={search} isOver={isSearchOver} path={path} />
      <p>
        <a href={`${path}/new`}>Enter a request that came by letter, phone or email</a>
      </p>
      {requests.length + unreadable.length === 0 ? (
        <p className="rounded-xl border border-(--line) bg-(--raised) px-6 py-12 text-center">
          {search === null
            ? filter === "active"
              ? "No requests wait. New ones are emailed to you."
              : "No requests here."
            : "No results."}
        </p>
      ) : (
        <RequestList requests={requests} today={today} />
      )}
      <UnreadableEntries />
      <Pager
        label="Pages"
        previous={{ label: "Previous", address: pageUrl(previous) }}
        next={{ label: "Next", address: pageUrl(next) }}
      />
    </>
  );
}
