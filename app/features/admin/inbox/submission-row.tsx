import { TallLink } from "~/ui/content/tall-link";
import { firstCharacters } from "~/lib/characters";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { UndeliveredMark, UndeliveredReason } from "../delivery/undelivered-mark";
import { MemberNote } from "../network/member-note";
import type { InboxRow } from "./inbox.server";
import { quarantineReasons, stateNames } from "./inbox-words";
import { mailAddress } from "./mail-address";
import { SubmissionActions } from "./submission-actions";
import { SubmissionFacts } from "./submission-facts";

/** One message of the list. */
export interface SubmissionRowProps {
  submission: InboxRow;
  /** address that its forms post to */
  action: string;
  /** address of its page */
  address: string;
}

/**
 * A row of the list, which expands in place to the full message (REQUIREMENTS 8.2). One row is open at a time. A
 * browser that follows a link to `m-<id>` opens the row, and Tab continues at its first link.
 */
export function SubmissionRow({ submission, action, address }: SubmissionRowProps) {
  const formatInstant = useInstantFormat();
  const { id, name, company, goal, message, state, timeLeft, quarantine_reason } = submission;
  const isNew = state === "new" && quarantine_reason === null;
  return (
    <article aria-labelledby={`submission-${id}`}>
      <details className="inbox-row" name="inbox">
        <summary>
          {isNew ? <span className="inbox-dot" /> : null}
          <h3 id={`submission-${id}`} dir="auto" className={isNew ? "inbox-name is-new" : "inbox-name"}>
            {name}
          </h3>{" "}
          <span className="inbox-firm">
            <bdi>{company}</bdi>
            {company === "" || goal === "" ? null : " · "}
            <bdi>{goal}</bdi>
          </span>{" "}
          <span className="inbox-text" dir="auto">
            {firstCharacters(message, 120)}
          </span>{" "}
          <span className={timeLeft?.isLate ? "inbox-left is-late" : "inbox-left"}>
            {timeLeft && state === "in_progress" ? <span className="inbox-state">In progress</span> : null}
            {isNew ? <span className="sr-only">New, </span> : null}
            {submission.undelivered_at ? (
              <UndeliveredMark error={submission.refusal} />
            ) : timeLeft ? (
              timeLeft.words
            ) : quarantine_reason === null ? (
              stateNames[state]
            ) : null}
            {submission.marked_by_link_at ? `, marked by the link in an email` : null}
          </span>{" "}
          <time dateTime={submission.created_at} className="inbox-when">
            {formatInstant(submission.created_at)
              .replace(/, \d{4}/, "")
              // Leaves out the time zone, which is the firm's. The message's page shows it.
              .replace(/ \S+$/, "")}
          </time>
        </summary>
        <section id={`m-${id}`} aria-labelledby={`submission-${id}`} tabIndex={-1} className="inbox-open">
          <UndeliveredReason {...submission} />
          {quarantine_reason ? (
            <p className="mb-3">{quarantineReasons[quarantine_reason] ?? quarantine_reason}</p>
          ) : null}
          <MemberNote memberId={submission.member_id} />
          <p className="message-body" dir="auto">
            {message}
          </p>
          <SubmissionActions submission={submission} action={action} replyAddress={`${address}#reply`} />
          <p className="mt-2 flex flex-wrap gap-x-4">
            <TallLink href={address}>Open message</TallLink>{" "}
            <TallLink href={mailAddress(submission.email)}>{submission.email}</TallLink>
          </p>
          <SubmissionFacts submission={submission} className="mt-2 flex flex-wrap gap-x-8 gap-y-3" />
        </section>
      </details>
    </article>
  );
}
