import { contactFieldList, contactFields } from "#supabase/functions/_shared/contact-fields";
import { adminPage } from "~/content/account/admin";
import { formatInstant } from "~/lib/dates";
import { SubmissionActions } from "./submission-actions";
import type { Submission } from "./submissions.server";

/** One message, and the page that its forms post to. */
export interface SubmissionCardProps {
  submission: Submission;
  action: string;
}

const hasPlaceOfItsOwn: ReadonlySet<string> = new Set(["name", "email", "message"]);

/** Who wrote, when, and every word of it (REQUIREMENTS 8.2); then what can be done with it. */
export function SubmissionCard({ submission, action }: SubmissionCardProps) {
  const { details, quarantine, filters } = adminPage;
  const facts: [string, string][] = [
    ...contactFieldList
      .filter(([name]) => !hasPlaceOfItsOwn.has(name) && submission[name] !== "")
      .map(([name, { label }]): [string, string] => [label, submission[name]]),
    ...(submission.quarantine_reason === null ? [[details.state, filters[submission.state]] as [string, string]] : []),
    // As the mail to the firm names it where it quotes nothing (MAIL_CONTENT).
    [details.reference, submission.id.slice(0, 8)],
    ...(submission.ip_address ? [[details.ip, submission.ip_address] as [string, string]] : []),
  ];
  return (
    <article
      className="rounded-xl border border-(--line) bg-(--raised) p-6"
      aria-labelledby={`submission-${submission.id}`}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h3 id={`submission-${submission.id}`} className="text-xl wrap-anywhere">
          {submission.name}
        </h3>
        <time dateTime={submission.created_at} className="text-(--muted)">
          {formatInstant(submission.created_at)}
        </time>
      </div>
      <p className="mt-1">
        <a
          href={`mailto:${encodeURIComponent(submission.email).replace("%40", "@")}`}
          className="inline-block py-2.5 wrap-anywhere"
        >
          {submission.email}
        </a>
      </p>
      {submission.quarantine_reason ? (
        <p className="mt-1 text-(--muted)">
          {quarantine.reasons[submission.quarantine_reason] ?? submission.quarantine_reason}
        </p>
      ) : null}
      <dl className="mt-4 grid gap-x-8 gap-y-3 sm:grid-cols-2">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt className="text-sm text-(--muted)">{term}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
        <div className="sm:col-span-2">
          <dt className="text-sm text-(--muted)">{contactFields.message.label}</dt>
          <dd className="wrap-anywhere whitespace-pre-wrap">{submission.message}</dd>
        </div>
      </dl>
      <SubmissionActions submission={submission} action={action} />
    </article>
  );
}
