import { adminPage } from "~/content/account/admin";
import { answerTimesPage } from "~/content/account/answer-times";
import { snippetsPage } from "~/content/account/snippets";
import { FilterTabs } from "~/ui/forms/filter-tabs";
import { Notice } from "~/ui/frame/notice";
import { Pager } from "~/ui/forms/pager";
import { listAddress, submissionFilters } from "../shared/filters";
import type { LoadedInbox } from "./inbox.server";
import { MarkedByLink } from "./marked-by-link";
import { RetentionNote } from "../shared/retention-note";
import { type FailedSearch, SearchForm, SearchStatus } from "../shared/search-form";
import { SubmissionRow } from "./submission-row";

const path = "/admin";

/** The inbox: what the mail is doing where that matters, filters, search, one page of messages. */
export function InboxView({ inbox, failedSearch }: { inbox: LoadedInbox; failedSearch: FailedSearch | null }) {
  const { mail, filters, pager, quarantine, retention } = adminPage;
  const { filter, lateMail, undeliverableMail, lastRetention, isRetentionLate } = inbox;
  const { searchId } = inbox;
  const here = listAddress(path, { filter, searchId, cursor: inbox.cursor });
  const turnTo = (cursor: string | null) => cursor && listAddress(path, { filter, searchId, cursor });
  const mailTroubles = [
    ...(lateMail > 0 ? [mail.waiting(lateMail)] : []),
    ...(undeliverableMail > 0 ? [mail.givenUp(undeliverableMail)] : []),
  ];
  return (
    <>
      {isRetentionLate ? <Notice tone="info" {...retention.late} /> : null}
      {mailTroubles.length > 0 ? <Notice tone="info" title={mail.title} text={mailTroubles.join(" ")} /> : null}
      <MarkedByLink messages={inbox.markedByLink} action={here} hasLinks />
      <div className="inbox-bar">
        <FilterTabs
          label={filters.label}
          current={filter}
          filters={submissionFilters.map((name) => ({
            name,
            label: filters[name],
            address: listAddress(path, { filter: name, searchId, cursor: null }),
            // They count the whole list, not what was found.
            count: searchId === null ? inbox.counts[name] : null,
          }))}
        />
        <SearchForm search={inbox.search} path={path} failed={failedSearch} />
      </div>
      <SearchStatus search={inbox.search} isOver={inbox.isSearchOver} path={path} />
      {filter === "quarantined" ? <p className="max-w-[68ch] text-(--muted)">{quarantine.text}</p> : null}
      {inbox.submissions.length === 0 ? (
        <p className="rounded-xl border border-(--line) bg-(--raised) px-6 py-12 text-center">{getEmptyText(inbox)}</p>
      ) : (
        <ul className="inbox-list">
          {inbox.submissions.map((submission) => (
            <li key={submission.id}>
              <SubmissionRow submission={submission} action={here} />
            </li>
          ))}
        </ul>
      )}
      <Pager
        label={pager.label}
        previous={{ label: pager.previous, address: turnTo(inbox.previous) }}
        next={{ label: pager.next, address: turnTo(inbox.next) }}
      />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <a href="/admin/answer-times" className="inline-flex min-h-11 items-center">
          {answerTimesPage.title}
        </a>
        <a href="/admin/snippets" className="inline-flex min-h-11 items-center">
          {snippetsPage.title}
        </a>
        {inbox.submissions.length > 0 ? (
          <form
            method="post"
            action={listAddress("/admin/submissions.csv", { filter, searchId, cursor: null })}
            className="flex flex-wrap gap-3"
          >
            {Object.entries(adminPage.export).map(([separator, label]) => (
              <button key={separator} name="separator" value={separator} className="button button-quiet">
                {label}
              </button>
            ))}
          </form>
        ) : null}
      </div>
      <RetentionNote run={lastRetention} />
    </>
  );
}

function getEmptyText({ filter, search, counts }: LoadedInbox): string {
  if (search !== null) return adminPage.nothingFound;
  if (filter === "waiting") return counts.all === 0 ? adminPage.empty : adminPage.nothingWaits;
  return filter === "all" ? adminPage.empty : adminPage.emptyFilter;
}
