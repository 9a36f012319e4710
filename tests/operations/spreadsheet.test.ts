import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { writeSubmissionsCsv } from "~/features/admin/inbox/submissions-csv.server";
import { csvSeparators, type CsvSeparator } from "~/features/admin/shared/csv.server";
import type { Submission } from "~/features/admin/inbox/submissions.server";
import { makeDataDir } from "../support/site-folder";

const program = "soffice";
const hasLibreOffice = spawnSync(program, ["--version"]).status === 0;

const list = "Two points:\n- first\n+1, and so on\n@you; =SUM(A1)";
const submission: Submission = {
  id: "7c0f0a52-9f0e-4b37-8f0c-2f6f1f2b7a11",
  name: "Ada Lovelace",
  email: "ada@example.com",
  company: "Müller; Söhne, “Engines” & Co",
  stage: "Growth",
  goal: "Scale",
  message: list,
  created_at: "2026-11-20T01:25:44.134+00:00",
  ip_address: "2001:db8::1",
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

interface Cell {
  type: string;
  /** of a date or a time, in ISO 8601 */
  value: string | undefined;
  formula: string | undefined;
  lines: string;
}

function readAttribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
}

async function* submissions() {
  yield submission;
  yield { ...submission, name: "=1+1", company: "-2+3", goal: "+4", message: "@SUM(1)", stage: " =5" };
}

/** Reads the cells of a flat XML spreadsheet by row, without empty rows. */
function readRows(xml: string): Cell[][] {
  const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
  return [...xml.matchAll(/<table:table-row[ >].*?<\/table:table-row>/gs)]
    .map(([row]) =>
      [...row.matchAll(/<table:table-cell\b([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].map(
        ([, tag = "", content = ""]): Cell => ({
          type: readAttribute(tag, "office:value-type") ?? "",
          value: readAttribute(tag, "office:date-value") ?? readAttribute(tag, "office:time-value"),
          formula: readAttribute(tag, "table:formula"),
          lines: [...content.matchAll(/<text:p>(.*?)<\/text:p>/gs)]
            .map(([, line = ""]) => line.replace(/<[^>]+>/g, "").replace(/&(\w+);/g, (_, name) => entities[name] ?? ""))
            .join("\n"),
        }),
      ),
    )
    .filter((row) => row.some(({ type }) => type !== ""));
}

describe.skipIf(!hasLibreOffice)("the inbox's export in LibreOffice (skipped without LibreOffice)", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await makeDataDir();
  });

  /** Opens the export with default settings and the given separator. */
  async function open(separator: CsvSeparator): Promise<Cell[][]> {
    const file = join(folder, `${separator}.csv`);
    await writeFile(
      file,
      await text(writeSubmissionsCsv(submissions(), { separator, timeZone: "America/New_York", unreadable: [] })),
    );
    const { status, stderr } = spawnSync(
      program,
      [
        `-env:UserInstallation=${pathToFileURL(join(folder, "profile")).href}`,
        "--headless",
        // Separator, quotation mark, UTF-8, first line.
        `--infilter=CSV:${csvSeparators[separator].charCodeAt(0)},34,76,1`,
        "--convert-to",
        "fods",
        "--outdir",
        folder,
        file,
      ],
      { encoding: "utf8", timeout: 120_000 },
    );
    expect(status, stderr).toBe(0);
    return readRows(await readFile(join(folder, `${separator}.fods`), "utf8"));
  }

  it.each(Object.keys(csvSeparators) as CsvSeparator[])(
    "has dates, complete texts and no formulas, with a %s as the separator",
    async (separator) => {
      const [heading = [], typed = [], formulas = [], ...others] = await open(separator);
      expect(others).toEqual([]);
      expect(heading.map(({ lines }) => lines).slice(0, 3)).toEqual([
        "Received (America/New_York)",
        "Time (America/New_York)",
        "Name",
      ]);
      for (const [day, time] of [typed, formulas]) {
        expect(day).toMatchObject({ type: "date", value: "2026-11-19" });
        expect(time).toMatchObject({ type: "time", value: "PT20H25M44S" });
      }
      expect(typed.slice(2, 8).map(({ lines }) => lines)).toEqual([
        "Ada Lovelace",
        "ada@example.com",
        submission.company,
        "Growth",
        "Scale",
        list,
      ]);
      expect([...typed, ...formulas].filter(({ formula }) => formula !== undefined)).toEqual([]);
      expect(formulas.slice(2, 8).map(({ type, lines }) => [type, lines])).toEqual([
        ["string", "'=1+1"],
        ["string", "ada@example.com"],
        ["string", "'-2+3"],
        ["string", "' =5"],
        ["string", "'+4"],
        ["string", "'@SUM(1)"],
      ]);
    },
  );
});
