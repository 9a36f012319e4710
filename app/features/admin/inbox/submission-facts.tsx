import { contactFieldList } from "#supabase/functions/_shared/contact-fields";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { stateNames } from "./inbox-words";
import type { Submission } from "./submissions.server";

const shownElsewhere: ReadonlySet<string> = new Set(["name", "email", "message"]);

/** Details of a message, other than its sender and text (REQUIREMENTS 8.2). */
export function SubmissionFacts({ submission, className }: { submission: Submission; className: string }) {
  const formatInstant = useInstantFormat();
  const { quarantine_reason, state, answered_at, ip_address } = submission;
  const facts: [string, string][] = [
    ...contactFieldList
      .filter(([name]) => !shownElsewhere.has(name) && submission[name] !== "")
      .map(([name, { label }]): [string, string] => [label, submission[name]]),
    ["Received", formatInstant(submission.created_at)],
    ...(quarantine_reason === null ? [["Status", stateNames[state]] as [string, string]] : []),
    ...(answered_at === null ? [] : [["Answered", formatInstant(answered_at)] as [string, string]]),
    // The same reference as in the mail to the firm that quotes nothing (MAIL_CONTENT).
    ["Reference", submission.id.slice(0, 8)],
    ...(ip_address ? [["IP", ip_address] as [string, string]] : []),
  ];
  return (
    <dl className={className}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt className="text-sm text-(--muted)">{term}</dt>
          <dd className="wrap-anywhere">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
