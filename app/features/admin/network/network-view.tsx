import { countOf } from "~/lib/count-of";
import { TallLink } from "~/ui/content/tall-link";
import { lostLinkPage } from "~/content/pages/network";
import { CsvForm } from "../shared/csv-form";
import { ListBar } from "../shared/list-bar";
import type { ListQuery } from "../shared/list-query.server";
import { Pager } from "../shared/pager";
import type { FailedSearch } from "../shared/search-form";
import type { UnreadableIds } from "../shared/readable-rows.server";
import { EmptyList } from "../shared/empty-list";
import { UnreadableEntries } from "../shared/unreadable-entries";
import { FilterForm } from "./filter-form";
import { parseFilter } from "../shared/filters";
import { lettersPath } from "./letters/letter-words";
import { MemberRows } from "./member-list";
import { type NetworkQuery, type MemberState, memberStates, networkPath, networkUrl } from "./network-filters";
import type { MemberList } from "./network.server";
import { stateTabs } from "./network-words";

/** A page of the list of members. */
export interface NetworkViewProps extends MemberList {
  unreadable: UnreadableIds;
  query: NetworkQuery;
  search: Omit<ListQuery<MemberState>, "cursor">;
  failedSearch: FailedSearch | null;
  /** number of pages */
  pages: number;
}

/** Tabs by state, filters, one page of members, and the download. */
export function NetworkView(props: NetworkViewProps) {
  const { query, search, failedSearch, members, unreadable, total, counts, pages } = props;
  const isFiltered = query.kind !== null || query.field !== null;
  const pageUrl = (page: number) => (page < 1 || page > pages ? null : networkUrl({ ...query, page }));
  return (
    <>
      <ListBar
        path={networkPath}
        label="Members by state"
        filters={memberStates}
        names={stateTabs}
        counts={counts}
        query={search}
        urlOf={(state) => networkUrl({ ...query, state: parseFilter(memberStates, state), page: 1 })}
        failedSearch={failedSearch}
      />
      <p className="flex flex-wrap items-center gap-x-6 text-(--muted)">
        <span>{`Left: ${counts.left}`}</span> <TallLink href={lettersPath}>Letters</TallLink>
      </p>
      <FilterForm {...query} />
      {isFiltered ? (
        <p className="flex flex-wrap items-center gap-x-4">
          <span>{`${countOf(total, "member matches", "members match")}.`}</span>
          <TallLink href={networkUrl({ ...query, kind: null, field: null, page: 1 })}>Show all</TallLink>
        </p>
      ) : null}
      {members.length + unreadable.length === 0 ? <EmptyNetwork {...props} /> : null}
      {members.length === 0 ? null : <MemberRows members={members} query={query} />}
      <UnreadableEntries />
      <Pager
        label="Pages"
        previous={{ label: "Newer", address: pageUrl(Math.min(query.page - 1, pages)) }}
        next={{ label: "Older", address: pageUrl(query.page + 1) }}
      />
      {total > 0 ? (
        <CsvForm action={networkUrl({ ...query, page: 1 }, "/admin/network.csv")}>
          <p className="basis-full text-(--muted)">The files leave out members who stopped all mail.</p>{" "}
        </CsvForm>
      ) : null}
    </>
  );
}

const emptyTexts: Record<MemberState, string> = {
  confirmed: "No one waits for your review.",
  admitted: "You have not admitted anyone yet. Open a member under “To review” to do so.",
  declined: "You have not declined anyone.",
  asked: "No one has to confirm their address.",
};

/** Says why the list is empty, and how people get into it if it has always been empty. */
function EmptyNetwork({ query, search, counts }: NetworkViewProps) {
  const { asked, confirmed, admitted, declined, left } = counts;
  const isFiltered = query.kind !== null || query.field !== null || search.search !== null;
  const isNew = !isFiltered && asked + confirmed + admitted + declined + left === 0;
  return (
    <EmptyList>
      {isNew ? (
        <>
          <p>No one has asked to join yet.</p>
          <p className="mx-auto max-w-[43.5em]">
            {"Investors tick a box on the "}
            <a href={lostLinkPage.join.path}>contact form</a>
            {
              " and confirm their address through a link that we email them. Then they wait here for your review. You admit or decline each by hand."
            }
          </p>
        </>
      ) : (
        <p>{query.page > 1 || isFiltered ? "No members here." : emptyTexts[query.state]}</p>
      )}
    </EmptyList>
  );
}
