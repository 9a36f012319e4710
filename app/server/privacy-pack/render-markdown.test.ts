import { expect, it } from "vitest";
import { renderMarkdown } from "./render-markdown.server";

it("writes values as a list, rows as a table, and what is deeper under headings", () => {
  const content = {
    medianDays: 3.5,
    nobody: null,
    madeAt: "2026-11-20T01:30:00.25+00:00",
    rows: [
      { kind: "mails", columns: ["a", "b"] },
      { kind: "links", late: true },
    ],
    remarks: ["One.", "Two."],
    activities: [{ name: "Answering", data: [{ what: "Name" }] }],
    none: [],
  };
  expect(renderMarkdown("Figures", content, "America/New_York")).toBe(`# Figures

- **Median days:** 3.5
- **Nobody:** –
- **Made at:** Nov 19, 2026, 8:30 PM EST

## Rows

| Kind | Columns | Late |
| --- | --- | --- |
| mails | a; b | – |
| links | – | yes |

## Remarks

- One.
- Two.

## Activities

### Answering

#### Data

| What |
| --- |
| Name |

## None

None.
`);
});

it("lets nobody's words become markup, a row or a heading", () => {
  const text = renderMarkdown("Proof", [{ browser: "<img src=x> | `a` [b](c) *d*\n# e" }], "UTC");
  expect(text.split("\n")[4]).toBe(String.raw`| &lt;img src=x> \| \`a\` \[b\](c) \*d\* # e |`);
});
