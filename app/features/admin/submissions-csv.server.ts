import { Readable } from "node:stream";
import { stringify } from "csv-stringify";
import type { Submission } from "./submissions.server";

const columns: Record<string, keyof Submission> = {
  Received: "created_at",
  Name: "name",
  Email: "email",
  Company: "company",
  Stage: "stage",
  Goal: "goal",
  Message: "message",
  "IP address": "ip_address",
  State: "state",
  "Held back": "quarantine_reason",
  Reference: "id",
};

/**
 * Messages as CSV (RFC 4180), in pieces as they are read. A text that a spreadsheet would take for a formula gets an
 * apostrophe in front (OWASP, "CSV injection").
 */
export function writeSubmissionsCsv(submissions: AsyncIterable<Submission>): Readable {
  const table = stringify({
    header: true,
    columns: Object.entries(columns).map(([header, key]) => ({ key, header })),
    record_delimiter: "windows",
    // By itself the library quotes only what holds this very delimiter, and a lone line break would end the row.
    quoted_match: /[\r\n]/,
    // Spreadsheets take a file without it for their own character set.
    bom: true,
    escape_formulas: true,
  });
  return Readable.from(submissions)
    .on("error", (error) => table.destroy(error))
    .pipe(table);
}
