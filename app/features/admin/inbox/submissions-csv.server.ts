import type { Readable } from "node:stream";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields";
import { dateAndTimeFormat } from "~/lib/dates";
import { type CsvFormat, writeCsv } from "../shared/csv.server";
import type { Submission } from "./submissions.server";

type Row = Submission & { date: string; time: string };

const columns: { key: keyof Row; header: string }[] = [
  ...contactFieldList.map(([key, { label }]) => ({ key, header: label })),
  { key: "ip_address", header: "IP address" },
  { key: "state", header: "State" },
  { key: "quarantine_reason", header: "Held back" },
  { key: "id", header: "Reference" },
];

/** Streams messages as CSV. */
export function writeSubmissionsCsv(
  submissions: AsyncIterable<Submission>,
  { separator, timeZone, unreadable }: CsvFormat,
): Readable {
  const times: typeof columns = [
    { key: "date", header: `Received (${timeZone})` },
    { key: "time", header: `Time (${timeZone})` },
  ];
  return writeCsv(withReadableTimes(submissions, timeZone), [...times, ...columns], separator, unreadable);
}

async function* withReadableTimes(submissions: AsyncIterable<Submission>, timeZone: string): AsyncGenerator<Row> {
  const format = dateAndTimeFormat(timeZone);
  for await (const submission of submissions) yield { ...submission, ...format(submission.created_at) };
}
