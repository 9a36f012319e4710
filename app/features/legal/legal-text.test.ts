import { expect, it } from "vitest";
import { parseLegalDocument } from "~/features/legal/legal-document.server";
import { renderLegalText } from "~/features/legal/legal-text.server";

const frontMatter = {
  title: "Privacy Policy",
  description: "What this document says, at the length that search engines show: ".padEnd(120, "words "),
  version: '"1.0"',
  lastUpdated: "2025-10-24",
};

function compose(body: string, changes: Record<string, string | undefined> = {}): string {
  const lines = Object.entries({ ...frontMatter, ...changes }).flatMap(([key, value]) =>
    value === undefined ? [] : [key === "description" ? `${key}: ${JSON.stringify(value)}` : `${key}: ${value}`],
  );
  return `---\n${lines.join("\n")}\n---\n\n${body}\n`;
}

it("numbers the sections and gives each an anchor", () => {
  const document = parseLegalDocument(compose("In short.\n\n## The first thing\n\nText.\n\n## How & why\n\nMore."), {});
  expect(document.introduction).toBe("<p>In short.</p>\n");
  expect(document.sections.map(({ id, number, title }) => ({ id, number, title }))).toEqual([
    { id: "the-first-thing", number: 1, title: "The first thing" },
    { id: "how-why", number: 2, title: "How & why" },
  ]);
});

it("returns version and date, for people and for machines, and earlier versions, newest first", () => {
  const earlier = '[{ version: "0.8", lastUpdated: 2024-02-29 }, { version: "0.9", lastUpdated: 2025-01-02 }]';
  const document = parseLegalDocument(compose("## A section\n\nText.", { earlier }), {});
  expect(document).toMatchObject({ version: "1.0", lastUpdated: { iso: "2025-10-24", text: "October 24, 2025" } });
  expect(document.earlier.map(({ version, lastUpdated }) => [version, lastUpdated.text])).toEqual([
    ["0.9", "January 2, 2025"],
    ["0.8", "February 29, 2024"],
  ]);
});

it.each([
  ["a missing version", { version: undefined }],
  ["a version that YAML reads as a number", { version: "1.0" }],
  ["a day that does not exist", { lastUpdated: "2025-02-30" }],
  ["a title of 4 characters", { title: "Text" }],
  ["a title of 46 characters", { title: "x".repeat(46) }],
  ["a description of 109 characters", { description: "x".repeat(109) }],
  ["a description of 156 characters", { description: "x".repeat(156) }],
  ["an unknown key", { author: "somebody" }],
  ["an earlier version without its date", { earlier: '[{ version: "0.9" }]' }],
])("rejects %s", (_case, changes) => {
  expect(() => parseLegalDocument(compose("## A section\n\nText.", changes), {})).toThrow(/invalid|unrecognized|too/i);
});

it.each([
  [5, 110],
  [45, 155],
])("accepts a title of %i characters, and a description of %i", (title, description) => {
  const changes = { title: "x".repeat(title), description: "x".repeat(description) };
  expect(parseLegalDocument(compose("## A section\n\nText.", changes), {})).toMatchObject(changes);
});

it.each([
  ["without front matter", "## A section\n\nText.\n", "front matter"],
  ["with two sections of one anchor", compose("## Same\n\nA.\n\n## Same!\n\nB."), "share an anchor"],
])("rejects a text %s", (_case, source, mistake) => {
  expect(() => parseLegalDocument(source, {})).toThrow(mistake);
});

it("fills in facts in text, code and link targets", () => {
  const [part] = renderLegalText("Within **{{time}}**, `{{name}}`, [{{mail}}](mailto:{{mail}}).", {
    time: "24 hours",
    name: "_ga",
    mail: "a@firm.example",
  });
  expect(part?.html).toBe(
    '<p>Within <strong>24 hours</strong>, <code>_ga</code>, <a href="mailto:a@firm.example">a@firm.example</a>.</p>\n',
  );
});

it("escapes markup in facts", () => {
  const [part] = renderLegalText("Of {{firm}}.", { firm: "<b>A</b> & *B* [C](/c) _ga" });
  expect(part?.html).toBe("<p>Of &lt;b&gt;A&lt;/b&gt; &amp; *B* [C](/c) _ga.</p>\n");
});

it.each([
  ["an unknown fact", "Within {{replyWithing}}.", "Unknown placeholder"],
  ["a fact without a name", "Within {{}}.", "Unknown placeholder"],
  ["the name of an inherited property", "Within {{constructor}}.", "Unknown placeholder"],
  ["a placeholder broken by a line break", "Within {{reply\nWithin}}.", "Unfilled placeholder"],
  ["a placeholder in a heading", "## About {{replyWithin}}\n\nText.", "Unfilled placeholder"],
  ["HTML", "<script>alert(1)</script>", "Not allowed in legal text"],
  ["inline HTML", 'Text <img src="x"> text.', "Not allowed in legal text"],
  ["an image", "![alt](/x.png)", "Not allowed in legal text"],
  ["a table", "| a | b |\n| - | - |\n| c | d |", "Not allowed in legal text"],
  ["a code block", "```\ncode\n```", "Not allowed in legal text"],
  ["a level 1 heading", "# Title", "Headings are ## or ###"],
  ["a level 4 heading", "#### Deep", "Headings are ## or ###"],
  ["a javascript: link", "[x](javascript:alert)", "Not allowed as a link"],
  ["a link to another host without https", "[x](http://elsewhere.example)", "Not allowed as a link"],
  ["a protocol-relative link", "[x](//elsewhere.example)", "Not allowed as a link"],
])("rejects %s", (_case, source, mistake) => {
  expect(() => renderLegalText(source, { replyWithin: "24 hours" })).toThrow(mistake);
});
