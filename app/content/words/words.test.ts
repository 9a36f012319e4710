import { describe, expect, it } from "vitest";
import { company } from "../company";
import { homePage } from "../pages/home";
import { startupsPage } from "../pages/startups";
import { applyWords } from "./apply-words.server";
import { editablePages } from "./editable-pages.server";
import { writeWordFile } from "./export-words.server";
import { readWordFile } from "./word-file.server";

const read = (page: string, text: string) => readWordFile(page, editablePages[page] ?? {}, text);

it.each(Object.keys(editablePages))("accepts every built-in text of %s, as exported", (page) => {
  const { changes, mistakes } = read(page, writeWordFile(page));
  expect(mistakes).toEqual([]);
  expect(changes.length).toBeGreaterThan(5);
});

it("names line, key and rule of each mistake, and the known keys", () => {
  const { mistakes } = read(
    "startups",
    [
      `headline: ${"x".repeat(81)}`,
      "lede: A word",
      "path: /elsewhere",
      "outcome: 2004",
      "offerings: [{}]",
      "lead: '{{name}} helps'",
      "action:",
      "  text: left \u202e right",
      "  label:",
      "    deep: x",
    ].join("\n"),
  );
  expect(mistakes.map((mistake) => mistake.slice(0, 90))).toEqual([
    "startups.yaml, line 1: headline: write at most 80 characters; it has 81",
    expect.stringMatching(/^startups\.yaml, line 2: lede: unknown key; known are title, description, headline/),
    "startups.yaml, line 3: path: locked: this site’s rules fix it",
    "startups.yaml, line 4: outcome: write a text, in quotation marks if it is a number",
    expect.stringMatching(/^startups\.yaml, line 5: offerings: write a list of 9 parts/),
    expect.stringMatching(/^startups\.yaml, line 6: lead: write \{\{firm\}\} or \{\{reply\}\} instead of \{\{name\}\}/),
    "startups.yaml, line 8: action.text: leave out marks that change the direction",
    expect.stringMatching(/^startups\.yaml, line 10: action\.label: write a text/),
  ]);
});

it.each([
  ["an anchor", "headline: &a One\nlead: *a", "without & and *"],
  ["a tag", "headline: !!binary SGVsbG8=", "tag"],
  ["a key twice", "lead: One\nlead: Two", "no valid YAML"],
  ["half a file", 'lead: "One', "no valid YAML"],
  ["5,000 levels", "[".repeat(5000), "too many levels"],
  ["a list for a page", "- One", "key: text"],
  ["a key of every object", "constructor: One", "unknown key"],
  ["words that somebody consents to", "consent: {before: I agree}", "unknown key"],
])("refuses %s", (_what, text, rule) => {
  const { changes, mistakes } = read("startups", text);
  expect(changes).toEqual([]);
  expect(mistakes.join("\n")).toContain(rule);
});

describe("applied words", () => {
  it("stand on the page, with the firm's facts filled in, until they are taken back", () => {
    const before = structuredClone(startupsPage);
    const { changes } = read(
      "startups",
      "headline: Ask {{firm}}\nofferings:\n- {}\n- text: One\n" + "- {}\n".repeat(7),
    );
    const restore = applyWords(changes);
    expect(startupsPage.headline).toBe(`Ask ${company.name}`);
    expect(startupsPage.offerings.map(({ text }) => text)[1]).toBe("One");
    expect(startupsPage.offerings[0]).toEqual(before.offerings[0]);
    restore();
    expect(startupsPage).toEqual(before);
  });

  it("leave what the specification fixes", () => {
    const { mistakes } = read(
      "home",
      `headline: Another\nedge:\n  points:\n  - title: Another\n${"  - {}\n".repeat(3)}`,
    );
    expect(mistakes).toHaveLength(2);
    expect(homePage.edge.points).toHaveLength(4);
  });
});
