import { contactFieldList } from "#supabase/functions/_shared/contact-fields";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { type Fact, FactList } from "../shared/fact-list";
import { stateNames } from "./inbox-words";
import type { Submission } from "./submissions.server";

const shownElsewhere = ["name", "email", "message"];

interface SubmissionFactsProps {
  submission: Submission;
  /** names of more fields that stand elsewhere on the page */
  without?: readonly string[];
  className: string;
}

/** Details of a message, other than its sender and text (REQUIREMENTS 8.2). */
export function SubmissionFacts({ submission, without = [], className }: SubmissionFactsProps) {
  const formatInstant = useInstantFormat();
  const { quarantine_reason, state, answered_at, ip_address } = submission;
  const facts: Fact[] = [
    ...contactFieldList
      .filter(([name]) => !shownElsewhere.includes(name) && !without.includes(name))
      .map(([name, { label }]): Fact => [label, submission[name]]),
    ["Received", formatInstant(submission.created_at)],
    ["Status", quarantine_reason === null ? stateNames[state] : null],
    ["Answered", answered_at && formatInstant(answered_at)],
    // The same reference as in the mail to the firm that quotes nothing (MAIL_CONTENT).
    ["Reference", submission.id.slice(0, 8)],
    ["IP", ip_address],
  ];
  return <FactList facts={facts} className={className} />;
}
