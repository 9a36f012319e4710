import { Readable } from "node:stream";
import { stringify } from "csv-stringify";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields";
import { dateAndTimeFormat } from "~/lib/dates";
import { stripDirectionMarks } from "~/lib/plain-text";
import type { Submission } from "./submissions.server";

/**
 * Field separators. In most of Europe the comma marks decimals, so spreadsheets there split rows at semicolons and put
 * a whole comma-separated row into one cell.
 */
export const csvSeparators = { comma: ",", semicolon: ";" } as const;

/** One of {@link csvSeparators}. */
export type CsvSeparator = keyof typeof csvSeparators;

/** Format of the file. Times are in `timeZone` (IANA name), which the heading shows. */
export interface CsvFormat {
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

/** Streams messages as CSV (RFC 4180). Quotes every field and applies {@link disarmFormula} to every text. */
export function writeSubmissionsCsv(
  submissions: AsyncIterable<Submission>,
  { separator, timeZone }: CsvFormat,
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
    // Without a BOM, spreadsheets do not recognize UTF-8.
    bom: true,
    // The library's `escape_formulas` misses leading spaces and full-width characters.
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
 * Prefixes an apostrophe to a cell that a spreadsheet would run as a formula (OWASP, "CSV injection"): one that begins
 * with a formula character, a tab or a carriage return. Some programs skip leading blanks and invisible characters, and
 * Japanese editions accept full-width characters. The rest of the cell stays unchanged, since a formula can only be at
 * its start.
 */
function disarmFormula(text: string): string {
  return /^(?:[\t\r]|[\s\p{C}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u.test(text) ? `'${text}` : text;
}
