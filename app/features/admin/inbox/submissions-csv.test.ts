import { text } from "node:stream/consumers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeSubmissionsCsv } from "~/features/admin/inbox/submissions-csv.server";
import type { Submission } from "~/features/admin/inbox/submissions.server";

const submission: Submission = {
  id: "7c0f0a52-9f0e-4b37-8f0c-2f6f1f2b7a11",
  name: "Ada Lovelace",
  email: "ada@example.com",
  company: "Engines Ltd",
  stage: "Growth",
  goal: "Scale",
  message: "Please call me.",
  created_at: "2026-11-21T12:00:00+00:00",
  ip_address: null,
  quarantine_reason: null,
  state: "new",
  answer_due_at: "2026-11-22T12:00:00+00:00",
  answered_at: null,
};

async function write(...changes: Partial<Submission>[]): Promise<string> {
  async function* submissions() {
    for (const change of changes) yield { ...submission, ...change };
  }
  return (await text(writeSubmissionsCsv(submissions()))).replace("\uFEFF", "");
}

/** The rows as RFC 4180 has them. */
function parse(csv: string): string[][] {
  const fields = [...csv.matchAll(/"((?:[^"]|"")*)"(,|\r\n)/gy)];
  expect(fields.map(([whole]) => whole).join("")).toBe(csv);
  const rows: string[][] = [[]];
  for (const [, quoted = "", end] of fields) {
    rows.at(-1)?.push(quoted.replaceAll('""', '"'));
    if (end !== ",") rows.push([]);
  }
  return rows.slice(0, -1);
}

/** What a spreadsheet may run: no cell begins with it, whatever the cells are cut by. */
function findFormulas(csv: string): string[] {
  const cutElsewhere = csv.split(/[;\t|\r\n]/);
  return [...cutElsewhere, ...parse(csv).flat()].filter((cell) => /^[\s"]*[=+\-@＝＋－＠]/u.test(cell));
}

describe("the messages as CSV", () => {
  it("have every field in quotation marks, an empty one and a missing one among them", async () => {
    const rows = parse(await write({ goal: "", company: 'Says "hello", and\nmore' }));
    expect(rows.map((row) => row.length)).toEqual([11, 11]);
    expect(rows[1]).toEqual([
      submission.created_at,
      submission.name,
      submission.email,
      'Says "hello", and\nmore',
      submission.stage,
      "",
      submission.message,
      "",
      "new",
      "",
      submission.id,
    ]);
  });

  it.each([
    ["=1+1", "'=1+1"],
    ["c;=cmd|' /C calc'!A0;x", "c;'=cmd|' /C calc'!A0;x"],
    ["a\t@SUM(1)", "a\t'@SUM(1)"],
    ["a|+1|-1", "a|'+1|'-1"],
    ["one\n=2\r-3\r\n+4", "one\n'=2\r'-3\r\n'+4"],
    ["a;  =1", "a;  '=1"],
    ['a;"=1"', `a;"'=1"`],
    ["\u00a0=1", "\u00a0'=1"],
    ["＝1;＋1;－1;＠1", "'＝1;'＋1;'－1;'＠1"],
  ])("begin no formula: %j", async (typed, written) => {
    const csv = await write({ company: typed });
    expect(parse(csv)[1]?.[3]).toBe(written);
    expect(findFormulas(csv)).toEqual([]);
  });

  it("leave alone what begins no cell", async () => {
    const harmless = "A-Z, a@b.example, 1 + 1 = 2, 'quoted'; well-known | e=mc²";
    expect(parse(await write({ message: harmless }))[1]?.[6]).toBe(harmless);
  });

  it("begin no formula whatever is typed", async () => {
    const piece = fc.constantFrom(
      "=",
      "+",
      "-",
      "@",
      "＝",
      ";",
      "\t",
      "|",
      "\n",
      "\r",
      ",",
      '"',
      "'",
      " ",
      "a",
      "\u3000",
    );
    const typed = fc.string({ unit: piece, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(typed, typed, async (company, message) => {
        const csv = await write({ company, message });
        expect(findFormulas(csv)).toEqual([]);
        expect(withoutApostrophes(parse(csv)[1]?.[6])).toBe(withoutApostrophes(message));
      }),
      { numRuns: 500 },
    );
  });
});

/** A cell as it was typed: the apostrophes are what disarms it. */
function withoutApostrophes(cell = ""): string {
  return cell.replace(/'(?=[=+\-@＝])|^'(?=[\t\r])/gu, "");
}
