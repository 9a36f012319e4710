import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createInsightsReader } from "./insights-folder.server";

let folder: string;
let marks: Map<string, string>;
let read: ReturnType<typeof createInsightsReader>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "insights-"));
  mkdirSync(join(folder, "images"));
  marks = new Map();
  read = createInsightsReader(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a file, as an operator does, and marks it as changed. */
function write(name: string, content: string | Uint8Array): void {
  writeFileSync(join(folder, name), content);
  marks.set(name, String(marks.size + Math.random()));
}

const article = (body = "Text", ...lines: string[]) =>
  ["---", "title: A title", "summary: A sentence.", "date: 2026-11-20", ...lines, "---", body].join("\n");
const png = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

it("lists articles newest first, and keeps one as it was while its file has a mistake", () => {
  write("older.md", article("Older").replace("2026-11-20", "2025-01-01"));
  write("newer.md", article("Before"));
  expect(read(marks).articles.map(({ slug }) => slug)).toEqual(["newer", "older"]);
  write("newer.md", article("<b>After</b>"));
  const { articles, mistakes } = read(marks);
  expect(articles[0]?.html).toContain("Before");
  expect(mistakes).toEqual(["newer.md, line 6: leave out HTML: write Markdown"]);
  marks.delete("newer.md");
  expect(read(marks).articles.map(({ slug }) => slug)).toEqual(["older"]);
});

it("leads every earlier address of an article to its present one", () => {
  write("third.md", article("Text", "replaces: [second, first]"));
  expect([...read(marks).moved]).toEqual([
    ["second", "third"],
    ["first", "third"],
  ]);
});

it("leads an old address to the article that replaces it, unless its file is still there", () => {
  write("new-name.md", article("Text", "replaces: old-name"));
  write("removed.yaml", "- gone\n".repeat(1_001));
  expect(read(marks).mistakes).toContainEqual(expect.stringContaining("removed.yaml: write a list of slugs"));
  write("removed.yaml", "- gone\n".repeat(1_000));
  expect(read(marks)).toMatchObject({ moved: new Map([["old-name", "new-name"]]), removed: new Set(["gone"]) });
  write("old-name.md", article());
  const { moved, mistakes } = read(marks);
  expect(moved.size).toBe(0);
  expect(mistakes).toEqual(["new-name.md: replaces: old-name.md is still there: delete it"]);
});

it.each<[string, () => void, string]>([
  ["a link out of the folder", () => symlinkSync("/etc/passwd", join(folder, "one.md")), "not a link or a folder"],
  ["a folder", () => mkdirSync(join(folder, "one.md")), "not a link or a folder"],
  ["200 kB", () => write("one.md", article("x".repeat(200_000))), "it is too large: at most 128 kB"],
  ["no UTF-8", () => write("one.md", Buffer.from([...Buffer.from(article()), 0xff])), "no text in UTF-8"],
  [
    "a picture of 20 MB",
    () => {
      write("images/a.png", png);
      truncateSync(join(folder, "images/a.png"), 20 * 1024 ** 2);
      write("one.md", article("![x](images/a.png)"));
    },
    "images/a.png: it is too large: at most 1024 kB",
  ],
  [
    "a drawing in SVG",
    () => {
      write("images/a.svg", "<svg/>");
      write("one.md", article("![x](images/a.svg)"));
    },
    "use a PNG, JPEG, WebP or AVIF picture",
  ],
  [
    "a picture that links out",
    () => {
      symlinkSync("/etc/passwd", join(folder, "images/a.png"));
      write("one.md", article("![x](images/a.png)"));
    },
    "not a link or a folder",
  ],
  ["a picture above", () => write("one.md", article("![x](images/../one.md)")), "pictures are files in images/"],
])("refuses %s", (_what, make, rule) => {
  make();
  marks.set("one.md", "new");
  const { articles, mistakes } = read(marks);
  expect(articles).toEqual([]);
  expect(mistakes.join("\n")).toContain(rule);
});

it("shows an article again once its picture is there", () => {
  write("one.md", article("![x](images/a.png)"));
  expect(read(marks).articles).toEqual([]);
  write("images/a.png", png);
  expect(read(marks).articles).toHaveLength(1);
});
