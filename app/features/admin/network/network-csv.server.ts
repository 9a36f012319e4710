import type { Readable } from "node:stream";
import { networkWords } from "~/content/pages/network";
import { dateAndTimeFormat } from "~/lib/dates";
import { type CsvFormat, writeCsv } from "../shared/csv.server";
import type { ExportedMember } from "./network.server";
import { describeDetails, qualificationLabel } from "./network-words";

const { labels, qualifications, states } = networkWords;

/** Streams members as CSV. Days are the firm's. */
export function writeNetworkCsv(
  members: readonly ExportedMember[],
  { separator, timeZone, unreadable }: CsvFormat,
): Readable {
  const format = dateAndTimeFormat(timeZone);
  const dayOf = (instant: string | null) => (instant === null ? "" : format(instant).date);
  const rows = members.map((member) => ({
    ...describeDetails(member),
    id: member.id,
    name: member.name,
    email: member.email,
    company: member.company,
    place: member.place ?? "",
    qualification: member.qualification ? qualifications[member.qualification] : "",
    state: states[member.state],
    asked: dayOf(member.asked_at),
    confirmed: dayOf(member.confirmed_at),
    renewed: dayOf(member.renewed_at),
    decided: dayOf(member.decided_at),
    noMail: dayOf(member.paused_at),
  }));
  return writeCsv(
    rows,
    [
      { key: "name", header: labels.name },
      { key: "email", header: labels.email },
      { key: "company", header: labels.company },
      { key: "kind", header: labels.kind },
      { key: "fields", header: labels.fields },
      { key: "check_size", header: labels.check_size },
      { key: "place", header: labels.place },
      { key: "qualification", header: qualificationLabel },
      { key: "state", header: "State" },
      { key: "asked", header: `Asked (${timeZone})` },
      { key: "confirmed", header: `Confirmed (${timeZone})` },
      { key: "renewed", header: `Last said yes (${timeZone})` },
      { key: "decided", header: `Decided (${timeZone})` },
      { key: "noMail", header: `No mail since (${timeZone})` },
      { key: "id", header: "Reference" },
    ],
    separator,
    unreadable,
  );
}
