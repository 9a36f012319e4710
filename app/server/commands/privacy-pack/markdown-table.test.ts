import { expect, it } from "vitest";
import { writeTable } from "./markdown-table.server";

it("writes plain values under readable column titles", () => {
  const rows = [
    { kind: "mails", medianDays: 3.5, made_at: "2026-11-20T01:30:00.25+00:00" },
    { kind: "links", nobody: null, late: true },
  ];
  expect(writeTable(rows, "America/New_York").replaceAll("\u202f", " ")).toBe(
    `| Kind | Median days | Made at | Nobody | Late |
| --- | --- | --- | --- | --- |
| mails | 3.5 | Nov 19, 2026, 8:30 PM EST | – | – |
| links | – | – | – | yes |`,
  );
  expect(writeTable([], "UTC")).toBe("None.");
});

it("escapes texts that would become markup, a row or a heading", () => {
  const text = writeTable([{ browser: "<img src=x> | `a` [b](c) *d*\n# e" }], "UTC");
  expect(text.split("\n")[2]).toBe(String.raw`| &lt;img src=x> \| \`a\` \[b\](c) \*d\* # e |`);
});
