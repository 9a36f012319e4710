import { Pager } from "../shared/pager";
import { type RequestFilter, listUrl, requestFilters } from "../shared/filters";
import type { ListQuery } from "../shared/list-query.server";
import { RequestList } from "./request-list";
import type { RequestRow } from "./requests.server";
import type { UnreadableIds } from "../shared/readable-rows.server";
import { UnreadableEntries } from "../shared/unreadable-entries";
import { EmptyList } from "../shared/empty-list";
import { ListBar } from "../shared/list-bar";
import type { FailedSearch } from "../shared/search-form";

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
  const { filter, search, searchId, requests, unreadable, today, previous, next, counts, failedSearch } = props;
  const pageUrl = (cursor: string | null) => cursor && listUrl(path, { filter, searchId, cursor });
  return (
    <>
      <ListBar
        path={path}
        label="Requests by state"
        filters={requestFilters.filter((name) => name === filter || counts[name] > 0 || !rareFilters.includes(name))}
        names={filterNames}
        counts={searchId === null ? counts : null}
        query={props}
        failedSearch={failedSearch}
      />
      <p>
        <a href={`${path}/new`}>Enter a request that came by letter, phone or email</a>
      </p>
      {requests.length + unreadable.length === 0 ? (
        <EmptyList>
          {search === null
            ? filter === "active"
              ? "No requests wait. New ones are emailed to you."
              : "No requests here."
            : "No results."}
        </EmptyList>
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
