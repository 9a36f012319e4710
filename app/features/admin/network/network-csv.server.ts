import type { Readable } from "node:stream";
import { networkWords } from "~/content/pages/network";
import { dateAndTimeFormat } from "~/lib/dates";
import { type CsvColumn, type CsvFormat, writeCsv } from "../shared/csv.server";
import type { ExportedMember } from "./network.server";
import { describeDetails, qualificationLabel } from "./network-words";

const { labels, qualifications, states } = networkWords;

/** Streams members as CSV. Days are the firm's. */
export function writeNetworkCsv(
  members: readonly ExportedMember[],
  { separator, timeZone, unreadable }: CsvFormat,
): Readable {
  const format = dateAndTimeFormat(timeZone);
  const dayOf = (instant: string | null) => instant && format(instant).date;
  const columns: CsvColumn<ExportedMember>[] = [
    [labels.name, ({ name }) => name],
    [labels.email, ({ email }) => email],
    [labels.company, ({ company }) => company],
    [labels.kind, (member) => describeDetails(member).kind],
    [labels.fields, (member) => describeDetails(member).fields],
    [labels.check_size, (member) => describeDetails(member).check_size],
    [labels.place, ({ place }) => place],
    [qualificationLabel, ({ qualification }) => qualification && qualifications[qualification]],
    ["State", ({ state }) => states[state]],
    [`Asked (${timeZone})`, ({ asked_at }) => dayOf(asked_at)],
    [`Confirmed (${timeZone})`, ({ confirmed_at }) => dayOf(confirmed_at)],
    [`Last said yes (${timeZone})`, ({ renewed_at }) => dayOf(renewed_at)],
    [`Decided (${timeZone})`, ({ decided_at }) => dayOf(decided_at)],
    [`No mail since (${timeZone})`, ({ paused_at }) => dayOf(paused_at)],
    ["Reference", ({ id }) => id],
  ];
  return writeCsv(members, columns, separator, unreadable);
}
