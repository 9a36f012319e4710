import { text } from "node:stream/consumers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeSubmissionsCsv } from "~/features/admin/inbox/submissions-csv.server";
import { type CsvSeparator, csvSeparators } from "~/features/admin/shared/csv.server";
import { stripDirectionMarks } from "~/lib/plain-text";
import type { Submission } from "~/features/admin/inbox/submissions.server";

const submission: Submission = {
  id: "7c0f0a52-9f0e-4b37-8f0c-2f6f1f2b7a11",
  name: "Ada Lovelace",
  email: "ada@example.com",
  company: "Engines Ltd",
  stage: "Growth",
  goal: "Scale",
  message: "Please call me.",
  created_at: "2026-11-20T01:25:44.134+00:00",
  ip_address: null,
  quarantine_reason: null,
  state: "new",
  answer_due_at: "2026-11-22T12:00:00+00:00",
  answered_at: null,
  marked_by_link_at: null,
  undelivered_at: null,
  refusal: null,
  member_id: null,
  version: 0,
};

async function write(
  changes: Partial<Submission>,
  { separator = "comma" as CsvSeparator, timeZone = "America/New_York" } = {},
): Promise<string> {
  async function* submissions() {
    yield { ...submission, ...changes };
  }
  const written = await text(writeSubmissionsCsv(submissions(), { separator, timeZone, unreadable: [] }));
  return written.replace("\uFEFF", "");
}

/** Parses rows according to RFC 4180. */
function parse(csv: string, separator: CsvSeparator = "comma"): string[][] {
  const field = new RegExp(`"((?:[^"]|"")*)"(${csvSeparators[separator]}|\r\n)`, "gy");
  const fields = [...csv.matchAll(field)];
  expect(fields.map(([whole]) => whole).join("")).toBe(csv);
  const rows: string[][] = [[]];
  for (const [, quoted = "", end] of fields) {
    rows.at(-1)?.push(quoted.replaceAll('""', '"'));
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

const separators = Object.keys(csvSeparators) as CsvSeparator[];

describe.each(separators)("CSV with %s separators", (separator) => {
  it("quotes every field, including empty and missing ones", async () => {
    const company = 'Says "hello", and;\nmore';
    const rows = parse(await write({ goal: "", company }, { separator }), separator);
    expect(rows[0]?.slice(2).join()).toBe(
      "Name,Email,Company,Business stage,Goal,Message,IP address,State,Held back,Reference",
    );
    const { name, email, stage, message, id } = submission;
    expect(rows[1]).toEqual(["2026-11-19", "20:25:44", name, email, company, stage, "", message, "", "new", "", id]);
  });

  it("contains no formula and otherwise the exact typed text", async () => {
    const piece = fc.constantFrom(..."=+-@＝＋－＠﹢;\t|\n\r,\"' a\u3000\u200e\u00ad");
    const typed = fc.string({ unit: piece, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(typed, typed, async (company, message) => {
        const [, row = []] = parse(await write({ company, message }, { separator }), separator);
        for (const cell of row) expect(cell).not.toMatch(/^(?:[\t\r]|[\s\p{C}]*[=+\-@＝＋－＠﹢])/u);
        const [firm, words] = [company, message].map(stripDirectionMarks);
        expect([firm, `'${firm}`]).toContain(row[4]);
        expect([words, `'${words}`]).toContain(row[7]);
      }),
      { numRuns: 500 },
    );
  });
});

it.each(["=1+1", "\ta", "\ra", "  =1", "\n-1", "\u00a0=1", "\u200e=1", "＠1"])(
  "disarms a cell that a spreadsheet would run as a formula: %j",
  async (typed) => {
    expect(parse(await write({ company: typed }))[1]?.[4]).toBe(`'${stripDirectionMarks(typed)}`);
  },
);

it.each([
  "Two points:\n- first\n- second\r\n+1\r@you, =SUM(A1)",
  "A-Z, a@b.example, 1 + 1 = 2, 'quoted'; well-known | e=mc²",
  'c;=1|=1\t=1 "=1"',
  "'=1",
  "",
])("leaves a harmless cell unchanged: %j", async (typed) => {
  expect(parse(await write({ message: typed }))[1]?.[7]).toBe(typed);
});

it("writes times in the firm's time zone, which the heading shows", async () => {
  const [heading, row] = parse(await write({}, { timeZone: "Pacific/Kiritimati" }));
  expect(heading?.slice(0, 2)).toEqual(["Received (Pacific/Kiritimati)", "Time (Pacific/Kiritimati)"]);
  expect(row?.slice(0, 2)).toEqual(["2026-11-20", "15:25:44"]);
});
