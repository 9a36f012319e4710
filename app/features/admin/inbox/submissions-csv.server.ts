import { Readable } from "node:stream";
import { stringify } from "csv-stringify";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields";
import { dateAndTimeFormat } from "~/lib/dates";
import { stripDirectionMarks } from "~/lib/plain-text";
import type { Submission } from "./submissions.server";

/**
 * What stands between two fields. Spreadsheets of Europe's languages, where the comma is for decimals, cut at semicolons, and put a whole
 * row of the other kind into one cell.
 */
export const csvSeparators = { comma: ",", semicolon: ";" } as const;

/** One of {@link csvSeparators}. */
export type CsvSeparator = keyof typeof csvSeparators;

/** How a file is written; times are told in `timeZone` (IANA name), which the heading says. */
export interface CsvForm {
  separator: CsvSeparator;
  timeZone: string;
}

type Row = Submission & { date: string; time: string };

const columns: { key: keyof Row; header: string }[] = [
  ...contactFieldList.map(([key, { label }]) => ({ key, header: label })),
  { key: "ip_address", header: "IP address" },
  { key: "state", header: "State" },
  { key: "quarantine_reason", header: "Held back" },
  { key: "id", header: "Reference" },
];

/**
 * Messages as CSV (RFC 4180), in pieces as they are read. Every field is quoted, and {@link disarmFormula} has been through every text.
 */
export function writeSubmissionsCsv(
  submissions: AsyncIterable<Submission>,
  { separator, timeZone }: CsvForm,
): Readable {
  const table = stringify({
    header: true,
    columns: [
      { key: "date", header: `Received (${timeZone})` },
      { key: "time", header: `Time (${timeZone})` },
      ...columns,
    ],
    delimiter: csvSeparators[separator],
    record_delimiter: "windows",
    quoted: true,
    quoted_empty: true,
    // Spreadsheets take a file without it for their own character set.
    bom: true,
    // Not the library's `escape_formulas`, which knows nothing of spaces and full-width forms.
    cast: { string: (text) => disarmFormula(stripDirectionMarks(text)) },
  });
  return Readable.from(withReadableTimes(submissions, timeZone))
    .on("error", (error) => table.destroy(error))
    .pipe(table);
}

async function* withReadableTimes(submissions: AsyncIterable<Submission>, timeZone: string): AsyncGenerator<Row> {
  const format = dateAndTimeFormat(timeZone);
  for await (const submission of submissions) yield { ...submission, ...format(submission.created_at) };
}

/**
 * Puts an apostrophe before a cell that a spreadsheet would take for a formula (OWASP, "CSV injection"): one that begins with such a
 * character, a tab or a carriage return. Blanks and invisible characters in front are dropped by some programs, and Japanese editions
 * know full-width forms. Elsewhere in a cell nothing is a formula, and a list's hyphens stay as they were written.
 */
function disarmFormula(text: string): string {
  return /^(?:[\t\r]|[\s\p{C}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u.test(text) ? `'${text}` : text;
}
