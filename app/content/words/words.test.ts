import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { company } from "../company";
import { homePage } from "../pages/home";
import { startupsPage } from "../pages/startups";
import { applyWords } from "./apply-words.server";
import { editablePages } from "./editable-pages.server";
import { writeWordFile } from "./export-words.server";
import { readWordFile } from "./word-file.server";
import { readWordFolder } from "./word-folder.server";
import { findFault } from "./word-rules.server";

const read = (page: string, text: string) => readWordFile(page, editablePages[page] ?? {}, text);

it.each(Object.keys(editablePages))("accepts every built-in text of %s, as exported", (page) => {
  const { changes, mistakes } = read(page, writeWordFile(page));
  expect(mistakes).toEqual([]);
  expect(changes.length).toBeGreaterThan(5);
});

it("exports the allowed lengths", () => {
  const words = writeWordFile("startups");
  expect(words).toMatch(/^description: .* # 40 to 160 characters$/m);
  expect(words).toMatch(/^headline: .* # at most 80 characters$/m);
});

it.each([
  ["title", 10, 60],
  ["description", 40, 160],
  ["headline", 1, 80],
  ["lead", 1, 220],
  ["offerings.0.title", 1, 60],
  ["offerings.0.text", 1, 320],
  ["action.label", 1, 44],
  ["outcome", 1, 160],
  ["quote", 1, 160],
  ["story.paragraphs.1", 1, 700],
  ["any.other", 1, 240],
])("take %s of %i to %i characters", (key, least, most) => {
  const faultOf = (length: number) => findFault(key, "x".repeat(length));
  expect([faultOf(least), faultOf(most)]).toEqual([null, null]);
  for (const length of [least - 1, most + 1]) expect(faultOf(length)).toContain(`it has ${length}`);
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
  ["5,000 levels", "[".repeat(5000), "too many levels"],
  ["a list for a page", "- One", "key: text"],
  ["a key of every object", "constructor: One", "unknown key"],
  ["words that somebody consents to", "consent: {before: I agree}", "unknown key"],
])("refuses %s, on one line", (_what, text, rule) => {
  const { changes, mistakes } = read("startups", text);
  expect(changes).toEqual([]);
  expect(mistakes.join()).toContain(rule);
  expect(mistakes.join()).not.toContain("\n");
});

it("reads up to eight paragraphs", () => {
  const [eight, nine] = [8, 9].map((count) => `story: { paragraphs: [${"One., ".repeat(count)}] }`);
  expect(read("about", eight ?? "").mistakes).toEqual([]);
  expect(read("about", nine ?? "").mistakes).toEqual([
    "about.yaml, line 1: story.paragraphs: write a list of one to 8 texts",
  ]);
});

it("reads files of up to 64 kB", async () => {
  const folder = await mkdtemp(join(tmpdir(), "words-"));
  const readSize = async (bytes: number) => {
    await writeFile(join(folder, "about.yaml"), "#".repeat(bytes));
    return readWordFolder(folder).mistakes;
  };
  expect(await readSize(64 * 1024)).toEqual([]);
  expect(await readSize(64 * 1024 + 1)).toEqual(["about.yaml: it is too large: words fit into 64 kB"]);
});

it("puts words on the page, with the firm's facts filled in, until they are taken back", () => {
  const before = structuredClone(startupsPage);
  const { changes } = read("startups", "headline: Ask {{firm}}\nofferings:\n- {}\n- text: One\n" + "- {}\n".repeat(7));
  const restore = applyWords(changes);
  expect(startupsPage.headline).toBe(`Ask ${company.name}`);
  expect(startupsPage.offerings.map(({ text }) => text)[1]).toBe("One");
  expect(startupsPage.offerings[0]).toEqual(before.offerings[0]);
  restore();
  expect(startupsPage).toEqual(before);
});

it("leaves what the specification fixes", () => {
  const { mistakes } = read("home", `headline: Another\nedge:\n  points:\n  - title: Another\n${"  - {}\n".repeat(3)}`);
  expect(mistakes).toHaveLength(2);
  expect(homePage.edge.points).toHaveLength(4);
});
