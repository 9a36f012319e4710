import type { Readable } from "node:stream";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields";
import { dateAndTimeFormat } from "~/lib/dates";
import { type CsvColumn, type CsvFormat, writeCsv } from "../shared/csv.server";
import type { Submission } from "./submissions.server";

/** Streams messages as CSV. */
export function writeSubmissionsCsv(
  submissions: AsyncIterable<Submission>,
  { separator, timeZone, unreadable }: CsvFormat,
): Readable {
  const format = dateAndTimeFormat(timeZone);
  const columns: CsvColumn<Submission>[] = [
    [`Received (${timeZone})`, ({ created_at }) => format(created_at).date],
    [`Time (${timeZone})`, ({ created_at }) => format(created_at).time],
    ...contactFieldList.map(([key, { label }]): CsvColumn<Submission> => [label, (submission) => submission[key]]),
    ["IP address", ({ ip_address }) => ip_address],
    ["State", ({ state }) => state],
    ["Held back", ({ quarantine_reason }) => quarantine_reason],
    ["Reference", ({ id }) => id],
  ];
  return writeCsv(submissions, columns, separator, unreadable);
}
