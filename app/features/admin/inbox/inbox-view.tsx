import { TallLink } from "~/ui/content/tall-link";
import { CsvForm } from "../shared/csv-form";
import { Pager } from "../shared/pager";
import { listUrl, messageUrl, submissionFilters } from "../shared/filters";
import { stateNames } from "./inbox-words";
import type { LoadedInbox } from "./inbox.server";
import { MarkedByLink } from "./marked-by-link";
import { RetentionNote } from "./retention-note";
import { EmptyList } from "../shared/empty-list";
import { ListBar } from "../shared/list-bar";
import type { FailedSearch } from "../shared/search-form";
import { UnreadableEntries } from "../shared/unreadable-entries";
import { SubmissionRow } from "./submission-row";

const path = "/admin";

/** The inbox: filters, search and one page of messages. */
export function InboxView({ inbox, failedSearch }: { inbox: LoadedInbox; failedSearch: FailedSearch | null }) {
  const { filter, searchId, lastRetention } = inbox;
  const here = listUrl(path, { filter, searchId, cursor: inbox.cursor });
  const pageUrl = (cursor: string | null) => cursor && listUrl(path, { filter, searchId, cursor });
  return (
    <>
      <MarkedByLink messages={inbox.markedByLink} action={here} hasLinks />
      <ListBar
        path={path}
        label="Messages by state"
        filters={submissionFilters}
        names={stateNames}
        counts={searchId === null ? inbox.counts : null}
        query={inbox}
        failedSearch={failedSearch}
      />
      {filter === "quarantined" ? (
        <p className="max-w-[43.5em] text-(--muted)">
          These messages filled in a field that people can’t see. Most are spam, but sometimes a browser fills it in for
          a person. We emailed you those with at most one link, marked as held back. No one else got an email about any
          of them.
        </p>
      ) : null}
      {inbox.submissions.length + inbox.unreadable.length === 0 ? <EmptyList>{getEmptyText(inbox)}</EmptyList> : null}
      {inbox.submissions.length === 0 ? null : (
        <ul id="messages" tabIndex={-1} className="inbox-list">
          {inbox.submissions.map((submission) => (
            <li key={submission.id}>
              <SubmissionRow
                submission={submission}
                action={here}
                address={messageUrl(submission.id, { filter, searchId, cursor: inbox.cursor })}
              />
            </li>
          ))}
        </ul>
      )}
      <UnreadableEntries />
      {filter === "spam" && inbox.submissions.length > 0 ? (
        <form method="post" action={here}>
          {inbox.submissions.map(({ id }) => (
            <input key={id} type="hidden" name="ids" value={id} />
          ))}
          <button name="intent" value="deleteSpam" className="button button-quiet">
            {`Delete all ${inbox.submissions.length} shown`}
          </button>
        </form>
      ) : null}
      <Pager
        label="Pages"
        previous={{ label: "Newer", address: pageUrl(inbox.previous) }}
        next={{ label: "Older", address: pageUrl(inbox.next) }}
      />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <TallLink href="/admin/snippets">Saved texts</TallLink>
        {inbox.submissions.length + inbox.unreadable.length > 0 ? (
          <CsvForm action={listUrl("/admin/submissions.csv", { filter, searchId, cursor: null })} />
        ) : null}
      </div>
      <RetentionNote run={lastRetention} />
    </>
  );
}

function getEmptyText({ filter, search, counts }: LoadedInbox): string {
  if (search !== null) return "No results.";
  if (filter === "waiting") return counts.all === 0 ? "No contact submissions yet." : "Nothing needs an answer.";
  if (filter === "late") return "Nothing is late.";
  return filter === "all" ? "No contact submissions yet." : "No messages here.";
}
