import { TitledSection } from "~/ui/content/titled-section";
import { describeRefusal, failureOf } from "#supabase/functions/_shared/mails/delivery-reason";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { EventLog } from "../shared/event-log";
import type { Member } from "./network.server";
import { memberActions, memberActors } from "./network-words";

/** The dated log of a member, and below it their emails and messages. */
export function MemberLog({ events, mails, messages }: Pick<Member, "events" | "mails" | "messages">) {
  const formatInstant = useInstantFormat();
  return (
    <>
      <TitledSection id="history" title="Log">
        <EventLog events={events} actions={memberActions} actors={memberActors} />
      </TitledSection>
      {mails.length === 0 ? null : (
        <TitledSection id="mails" title="Emails of the network">
          <ul className="mt-3 grid gap-2">
            {mails.map((mail) => (
              <li key={mail.id}>
                {`${mail.subject}, ${formatInstant(mail.created_at)}: `}
                {mail.gave_up_at === null ? (
                  mail.delivered_at === null ? (
                    mail.waits_in_line ? (
                      "waiting for the hourly limit"
                    ) : (
                      "waiting"
                    )
                  ) : (
                    "sent"
                  )
                ) : (
                  <strong className="text-(--danger)">{describeOutcome(mail.code)}</strong>
                )}
              </li>
            ))}
          </ul>
        </TitledSection>
      )}
      {messages.length === 0 ? null : (
        <TitledSection id="messages" title="Messages from this address">
          <ul>
            {messages.map(({ id, created_at }) => (
              <li key={id}>
                <a href={`/admin/messages/${id}`} className="inline-block py-2">
                  {`Message of ${formatInstant(created_at)}`}
                </a>
              </li>
            ))}
          </ul>
        </TitledSection>
      )}
    </>
  );
}

const outcomes = { refused: "not delivered", unsent: "not sent", perhaps: "perhaps delivered" };

const describeOutcome = (error: string | null) => `${outcomes[failureOf(error)]}. ${describeRefusal(error)}`;
