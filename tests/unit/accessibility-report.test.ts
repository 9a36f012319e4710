import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const report = readFileSync("docs/evidence/accessibility.md", "utf8");
const [, tests = "", criteria = ""] = report.split(/^## .*$/m);

/** The cells of a Markdown table's rows, without its head. */
function readRows(text: string): string[][] {
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

describe("the accessibility conformance report", () => {
  it("lists each criterion of WCAG 2.2, levels A and AA, once", () => {
    const rows = readRows(criteria);
    const count = (level: string) => rows.filter((row) => row[1] === level).length;
    // WCAG 2.2 has 31 criteria of level A and 24 of level AA; 4.1.1 was removed.
    expect([count("A"), count("AA"), rows.length]).toEqual([31, 24, 55]);
    expect(new Set(rows.map(([name]) => name?.split(" ", 1)[0])).size).toBe(55);
  });

  it("names only tests that there are", () => {
    for (const [number, , test = ""] of readRows(tests)) {
      const [, file = "", title = ""] = /^`(.+)`: “(.+)”$/.exec(test) ?? [];
      expect(readFileSync(file, "utf8"), number).toContain(title);
    }
  });

  it("claims a result of tests where it names some, and nothing where nobody has looked", () => {
    const known = readRows(tests).map(([number]) => number);
    for (const [name, , result, automated = "", person] of readRows(criteria)) {
      const named = automated === "no" ? [] : automated.split(" ");
      expect(known, name).toEqual(expect.arrayContaining(named));
      if (person !== "nobody yet") continue;
      expect(["No failure found", "Not applicable", "Not evaluated"], name).toContain(result);
      expect(result === "No failure found", name).toBe(named.length > 0);
    }
  });
});
