import { adminPage } from "~/content/account/admin";
import { FilterTabs } from "~/ui/forms/filter-tabs";
import { Notice } from "~/ui/frame/notice";
import { Pager } from "~/ui/forms/pager";
import { type SubmissionFilter, listAddress, submissionFilters } from "../shared/filters";
import type { LoadedInbox } from "./inbox.server";
import { RetentionNote } from "../shared/retention-note";
import { SearchForm } from "../shared/search-form";
import { SubmissionCard } from "./submission-card";

const path = "/admin";

/** The inbox: what the mail is doing where that matters, filters, search, one page of messages. */
export function InboxView({ inbox }: { inbox: LoadedInbox }) {
  const { mail, filters, pager, quarantine, retention } = adminPage;
  const { filter, lateMail, undeliverableMail, lastRetention, isRetentionLate } = inbox;
  const here = listAddress(path, filter, inbox.cursor);
  const mailTroubles = [
    ...(lateMail > 0 ? [mail.waiting(lateMail)] : []),
    ...(undeliverableMail > 0 ? [mail.givenUp(undeliverableMail)] : []),
  ];
  return (
    <>
      {isRetentionLate ? <Notice tone="info" {...retention.late} /> : null}
      {mailTroubles.length > 0 ? <Notice tone="info" title={mail.title} text={mailTroubles.join(" ")} /> : null}
      <FilterTabs
        label={filters.label}
        current={filter}
        filters={submissionFilters.map((name) => ({
          name,
          label: filters[name],
          address: listAddress(path, name, null),
          count: inbox.counts[name],
        }))}
      />
      <SearchForm search={inbox.search} action={here} />
      {filter === "quarantined" ? <p className="max-w-[68ch] text-(--muted)">{quarantine.text}</p> : null}
      {inbox.submissions.length === 0 ? (
        <p className="rounded-xl border border-(--line) bg-(--raised) px-6 py-12 text-center">
          {getEmptyText(filter, inbox.search)}
        </p>
      ) : (
        <ul className="grid gap-6">
          {inbox.submissions.map((submission) => (
            <li key={submission.id}>
              <SubmissionCard submission={submission} action={here} />
            </li>
          ))}
        </ul>
      )}
      <Pager
        label={pager.label}
        previous={{ label: pager.previous, address: inbox.previous && listAddress(path, filter, inbox.previous) }}
        next={{ label: pager.next, address: inbox.next && listAddress(path, filter, inbox.next) }}
      />
      {inbox.counts.all > 0 ? (
        <p>
          <a href={`/admin/submissions.csv?filter=${filter}`} download className="inline-flex min-h-11 items-center">
            {adminPage.export}
          </a>
        </p>
      ) : null}
      <RetentionNote run={lastRetention} />
    </>
  );
}

function getEmptyText(filter: SubmissionFilter, search: string | null): string {
  if (search !== null) return adminPage.nothingFound;
  return filter === "all" ? adminPage.empty : adminPage.emptyFilter;
}
