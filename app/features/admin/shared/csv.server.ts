import { Readable } from "node:stream";
import { createReadableStreamFromReadable } from "@remix-run/node";
import { stringify } from "csv-stringify";
import { stripDirectionMarks } from "~/lib/plain-text";
import type { UnreadableIds } from "./readable-rows.server";
import { unreadableEntry } from "./unreadable-entries";

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
  /** see {@link writeCsv} */
  unreadable: UnreadableIds;
}

/** Finds the separator of a download's form; undefined for none. */
export function findCsvSeparator(form: FormData): CsvSeparator | undefined {
  return (Object.keys(csvSeparators) as CsvSeparator[]).find((name) => name === form.get("separator"));
}

/** Heading of a column, and its cell in a row. */
export type CsvColumn<Row> = readonly [header: string, cell: (row: Row) => string | null];

/**
 * Streams rows as CSV (RFC 4180). Quotes every field and applies {@link disarmFormula} to every text.
 * @param columns the last has the row's id
 * @param unreadable ids of rows that were left out, known once all rows are read; each becomes a last row
 */
export function writeCsv<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  columns: readonly CsvColumn<Row>[],
  separator: CsvSeparator,
  unreadable: UnreadableIds,
): Readable {
  const table = stringify({
    header: true,
    columns: columns.map(([header]) => header),
    delimiter: csvSeparators[separator],
    record_delimiter: "windows",
    quoted: true,
    quoted_empty: true,
    // Without a BOM, spreadsheets do not recognize UTF-8.
    bom: true,
    // The library's `escape_formulas` misses leading spaces and full-width characters.
    cast: { string: (text) => disarmFormula(stripDirectionMarks(text)) },
  });
  async function* allRows() {
    for await (const row of rows) yield columns.map(([, cell]) => cell(row));
    for (const id of unreadable) yield [unreadableEntry, ...columns.slice(2).map(() => ""), id ?? ""];
  }
  return Readable.from(allRows())
    .on("error", (error) => table.destroy(error))
    .pipe(table);
}

/** Creates the response that downloads a file. `name` is without its ending. */
export function createCsvResponse(name: string, file: Readable, headers: Headers): Response {
  headers.set("Content-Type", "text/csv; charset=utf-8; header=present");
  headers.set("Content-Disposition", `attachment; filename="${name}.csv"`);
  return new Response(createReadableStreamFromReadable(file), { headers });
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
