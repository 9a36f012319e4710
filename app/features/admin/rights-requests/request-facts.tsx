import { TitledSection } from "~/ui/content/titled-section";
import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason";
import { formatDay } from "~/lib/dates";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { requestTypes } from "#supabase/functions/_shared/data-rights-request";
import { EventLog } from "../shared/event-log";
import { type Fact, FactList } from "../shared/fact-list";
import { requestStates } from "./request-words";
import type { DataRightsRequestRecord } from "./requests.server";

const actors = { requester: "Requester", admin: "Admin", system: "System" };

const actions: Readonly<Record<string, string>> = {
  received: "Received",
  entered: "Entered by an admin",
  "confirmation-withheld": "Confirmation link not sent: too many emails recently",
  confirmed: "Confirmed",
  "confirmation-resent": "Confirmation sent again",
  "confirmation-hurried": "Email sent before its turn",
  "acknowledgement-resent": "Acknowledgement sent again",
  "taken-up": "Work started",
  noted: "Note",
  extended: "Extended",
  exported: "Data package downloaded",
  corrected: "Corrected",
  "handed-over": "Data handed over",
  "package-link-sent": "Link to the data sent",
  fetched: "Data downloaded by the requester",
  restricted: "Restricted",
  "restriction-ending": "End of the restriction announced",
  "restriction-kept": "Restriction kept",
  "restriction-lifted": "Restriction lifted",
  completed: "Completed",
  refused: "Refused",
  withdrawn: "Withdrawn by the requester",
  undelivered: "Our answer was not delivered, so the request is open again",
  "address-corrected": "Address for email corrected",
  "answer-resent": "Answer sent again",
};

/** Puts the way on which a request arrived in a sentence. */
const describeArrival = (event: DataRightsRequestRecord["events"][number]) =>
  event.action === "entered" ? { ...event, note: `Arrived by ${event.note}.` } : event;

/** One data rights request with its history and emails. */
export function RequestFacts({ request }: { request: DataRightsRequestRecord }) {
  const formatInstant = useInstantFormat();
  const facts: Fact[] = [
    ["Type", requestTypes[request.request_type]],
    ["Status", requestStates[request.state]],
    ["Due", `${formatDay(request.due_on)}${request.is_overdue ? ` (overdue)` : ""}`],
    ["Received", formatInstant(request.received_at)],
    ["Confirmed", request.confirmed_at && formatInstant(request.confirmed_at)],
    [
      "Confirmation link valid until",
      request.confirmation_expires_at && formatInstant(request.confirmation_expires_at),
    ],
    ["Reason for extension", request.extension_reason],
    ["Restriction ends on", request.restriction_ends_on && formatDay(request.restriction_ends_on)],
    ["Closed", request.closed_at && formatInstant(request.closed_at)],
    ["Name", request.name],
    ["Email", request.email],
    ["Corrected address for email", request.mail_to],
    ["Details", request.description, "long"],
  ];
  return (
    <>
      {request.frozen_at === null ? null : <p className="font-semibold">Restricted: stored, but not used</p>}
      {request.quarantine_reason === null ? null : (
        <p className="font-semibold">Suspicious: the form’s hidden field was filled in. The deadline still applies.</p>
      )}
      <FactList facts={facts} />
      <TitledSection id="history" title="History">
        <EventLog events={request.events.map(describeArrival)} actions={actions} actors={actors} />
      </TitledSection>
      {request.mails.length === 0 ? null : (
        <TitledSection id="mails" title="Emails">
          <ul className="mt-3 grid gap-2">
            {request.mails.map((mail) => (
              <li key={`${mail.created_at} ${mail.subject}`}>
                {`${mail.subject}: ${mail.delivered_at ? "sent" : mail.gave_up_at ? `not delivered. ${describeRefusal(mail.code)}` : mail.waits_in_line ? "waiting for the hourly limit" : "waiting"}`}
              </li>
            ))}
          </ul>
        </TitledSection>
      )}
    </>
  );
}
