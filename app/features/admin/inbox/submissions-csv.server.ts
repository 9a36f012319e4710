import { Readable } from "node:stream";
import { stringify } from "csv-stringify";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields";
import type { Submission } from "./submissions.server";

const columns: { key: keyof Submission; header: string }[] = [
  { key: "created_at", header: "Received" },
  ...contactFieldList.map(([key, { label }]) => ({ key, header: label })),
  { key: "ip_address", header: "IP address" },
  { key: "state", header: "State" },
  { key: "quarantine_reason", header: "Held back" },
  { key: "id", header: "Reference" },
];

/**
 * Messages as CSV (RFC 4180), in pieces as they are read. Every field is quoted, and {@link disarmFormulas} has been
 * through every text.
 */
export function writeSubmissionsCsv(submissions: AsyncIterable<Submission>): Readable {
  const table = stringify({
    header: true,
    columns,
    record_delimiter: "windows",
    quoted: true,
    quoted_empty: true,
    // Spreadsheets take a file without it for their own character set.
    bom: true,
    // Not the library's `escape_formulas`, which looks at the first character of a field only.
    cast: { string: disarmFormulas },
  });
  return Readable.from(submissions)
    .on("error", (error) => table.destroy(error))
    .pipe(table);
}

/**
 * Puts an apostrophe before each character that would begin a formula (OWASP, "CSV injection"; full-width forms count in
 * Japanese editions) wherever a spreadsheet may begin a cell: at the start and after a line break, but also after `;`,
 * a tab or `|`, because a spreadsheet whose list separator is not the comma cuts there and makes nothing of our quotes.
 * Spaces and quotation marks in between are dropped by some.
 */
function disarmFormulas(text: string): string {
  // What begins a formula is matched first and what stands before it after that, so that the time taken stays linear.
  const disarmed = text.replace(/[=+\-@＝＋－＠](?<=(?:^|[;\t|\r\n])[\s"]*.)/gu, "'$&");
  // OWASP counts these two among what may begin a formula.
  return /^[\t\r]/.test(disarmed) ? `'${disarmed}` : disarmed;
}
