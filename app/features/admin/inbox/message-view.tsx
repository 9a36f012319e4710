import { Fragment } from "react";
import { TallLink } from "~/ui/content/tall-link";
import { TitledSection } from "~/ui/content/titled-section";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { UndeliveredMails } from "../delivery/undelivered-mails";
import { MemberNote } from "../network/member-note";
import { requestTypes } from "#supabase/functions/_shared/data-rights-request";
import { messageActions, quarantineReasons, stateNames } from "./inbox-words";
import { MarkedByLink } from "./marked-by-link";
import { mailAddress } from "./mail-address";
import { ReplySection, type ReplySectionProps } from "./replies/reply-section";
import { SubmissionFacts } from "./submission-facts";

const headFields = ["company", "stage", "goal"] as const;

/**
 * One message in full with its replies (REQUIREMENTS 8.2), and next to it other messages and requests from its sender.
 */
export function MessageView(props: ReplySectionProps) {
  const formatInstant = useInstantFormat();
  const { message, action } = props;
  const { quarantine_reason, timeLeft } = message;
  return (
    <div className="message-page">
      <div className="message-head">
        <p className="wrap-anywhere">
          {headFields
            .filter((name) => message[name] !== "")
            .map((name, index) => (
              <Fragment key={name}>
                {index === 0 ? null : " · "}
                <bdi>{message[name]}</bdi>
              </Fragment>
            ))}
        </p>
        <p className="flex flex-wrap items-center gap-x-4">
          <TallLink href={mailAddress(message.email)}>{message.email}</TallLink>
          {timeLeft ? (
            <strong className={timeLeft.isLate ? "text-(--danger)" : undefined}>{timeLeft.words}</strong>
          ) : null}
        </p>
        {quarantine_reason ? <p>{quarantineReasons[quarantine_reason] ?? quarantine_reason}</p> : null}
        <MemberNote memberId={message.member_id} />
        {message.marked_by_link_at ? <MarkedByLink messages={[message]} action={action} hasLinks={false} /> : null}
        <UndeliveredMails mails={message.undelivered} version={message.version} />
      </div>
      <div>
        <p className="message-body" dir="auto">
          {message.message}
        </p>
        <ReplySection {...props} />
      </div>
      <div className="grid content-start gap-6">
        <SubmissionFacts submission={message} without={headFields} className="grid gap-3" />
        <TitledSection id="sender" title="Also from this sender">
          {message.others.length + message.requests.length === 0 ? <p>Nothing else.</p> : null}
          <ul>
            {message.others.map((other) => (
              <li key={other.id}>
                <a href={`/admin/messages/${other.id}`} className="inline-block py-2 wrap-anywhere">
                  <bdi>{other.goal}</bdi>
                  {`, ${formatInstant(other.created_at)}`}
                </a>
                {` (${stateNames[other.quarantine_reason === null ? other.state : "quarantined"]})`}
              </li>
            ))}
            {message.requests.map((request) => (
              <li key={request.id}>
                <a href={`/admin/requests/${request.id}`} className="inline-block py-2">
                  {`${requestTypes[request.request_type]}, ${request.reference}`}
                </a>
              </li>
            ))}
          </ul>
        </TitledSection>
        <TitledSection id="log" title="Activity">
          {message.events.length === 0 ? <p>None yet.</p> : null}
          <ol>
            {message.events.map((event) => (
              <li key={`${event.at}${event.action}`} className="wrap-anywhere">
                {`${formatInstant(event.at)}: ${messageActions[event.action] ?? event.action}${event.by ? `, ${event.by}` : ""}`}
              </li>
            ))}
          </ol>
        </TitledSection>
      </div>
    </div>
  );
}
