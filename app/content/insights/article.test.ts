import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { company } from "../company";
import { readArticle } from "./article.server";
import { createInsightsReader } from "./insights-folder.server";

const head = (...lines: string[]) =>
  ["---", "title: A title", "summary: A sentence.", "date: 2026-11-20", ...lines, "---", ""].join("\n");
const findImage = (path: string) => {
  if (path !== "images/chairs.png") throw new Error("there is no such file");
  return `/insights/${path}`;
};
const read = (text: string, name = "first") => readArticle(name, text, findImage);

it("renders headings, lists, quotations, tables, code, links and pictures", () => {
  const { article, mistakes } = read(
    `${head("audience: startups")}## One\n\n- [x](https://example.com/?a=1&b=2)\n\n> Said\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`\n<b>\n\`\`\`\n\n![Two chairs](images/chairs.png)\n`,
  );
  expect(mistakes).toEqual([]);
  expect(article).toMatchObject({ slug: "first", kind: "article", draft: false, author: company.name });
  for (const part of ["<h2>One</h2>", "a=1&amp;b=2", "<blockquote>", "<td>1</td>", "&lt;b&gt;", 'alt="Two chairs"'])
    expect(article?.html).toContain(part);
});

it.each([
  ["HTML", "Text\n\n<script>alert(1)</script>", "first.md, line 8: leave out HTML: write Markdown"],
  ["HTML in a sentence", "One <img src=x onerror=alert(1)> two", "line 6: leave out HTML"],
  ["a script's address", "[x](javascript:alert(1))", "line 6: links begin with https://"],
  ["a script's address in entities", "[x](javascript&#58;alert(1))", "links begin with https://"],
  ["another site's address without a scheme", "[x](//example.com)", "links begin with https://"],
  ["a picture elsewhere", "![x](https://example.com/a.png)", "there is no such file"],
  ["a picture without a text", "![](images/chairs.png)", "describe the picture"],
  ["the title's heading", "# One", "begin headings with ## or ###"],
  ["text that changes direction", "One \u202e two", "leave out control characters"],
  ["what XML cannot hold", "One \uffff two", "leave out control characters"],
  ["5,000 links", "[x](https://example.com)\n".repeat(5000), "it has more than 500 links"],
  ["quotations 500 deep", `${">".repeat(500)} x`, "it has more than 12 levels"],
  ["lists 500 deep", Array.from({ length: 500 }, (_, at) => `${" ".repeat(2 * at)}- x`).join("\n"), "12 levels"],
  ["open brackets", "[".repeat(100_000), "12 levels"],
  ["open emphasis", "*a".repeat(30_000), ""],
  ["spaced brackets", "[ ".repeat(30_000), ""],
  ["open code", "`a``b```c".repeat(10_000), ""],
])("refuses %s, or reads it at once", (_what, body, rule) => {
  const { article, mistakes } = read(head() + body);
  expect(mistakes.join("\n")).toContain(rule);
  expect(article === null).toBe(mistakes.length > 0);
});

it.each([
  ["no head", "Text", "begin with ---"],
  ["an unknown key", head("author2: x"), "first.md, line 5: author2: unknown key; known are title, summary"],
  ["a stranger as author", head("author: Ada Example"), "line 5: author: write a name from the facts"],
  ["an example without consent", head("kind: example", "client: One"), "kind: an example needs consent"],
  ["a client of an article", head("client: One"), "client: only an example has this"],
  ["a wrong day", head().replace("2026-11-20", "2026-02-30"), "line 4: date: write the day as 2027-01-31"],
  ["an alias", head("author: *a"), "alias"],
  ["an open list", head("replaces: [one"), "the head is no valid YAML"],
])("refuses a head with %s, on one line", (_what, text, rule) => {
  const mistakes = read(text).mistakes.join();
  expect(mistakes).toContain(rule);
  expect(mistakes).not.toContain("\n");
});

const asExample = ["kind: example", "client: One", "consent: In writing.", "disclosure: Paid."];

it.each([
  ["title", 90],
  ["summary", 240],
  ["client", 120],
  ["consent", 240],
  ["disclosure", 400],
])("reads a %s of %i characters, and none longer", (key, most) => {
  const readWith = (characters: number) =>
    read(head(...asExample).replace(new RegExp(`^${key}: .*`, "m"), `${key}: ${"é".repeat(characters)}`)).mistakes;
  expect(readWith(most)).toEqual([]);
  expect(readWith(most + 1)).toEqual([expect.stringMatching(`${key}: write .*, in at most ${most} characters`)]);
});

it("reads a name of 80 characters", () => expect(read(head(), "x".repeat(80)).mistakes).toEqual([]));

it.each(["x".repeat(81), "images", "feed", "Big", "a_b", "..", ""])("refuses the name %s", (name) => {
  expect(read(head(), name).mistakes.join("\n")).toContain("name the file with small letters");
});

let folder: string;
let marks: Map<string, string>;
let readFolder: ReturnType<typeof createInsightsReader>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "insights-"));
  mkdirSync(join(folder, "images"));
  marks = new Map();
  readFolder = createInsightsReader(folder);
});

/** Writes a file, as an operator does, and marks it as changed. */
function write(name: string, content: string | Uint8Array): void {
  writeFileSync(pathOf(name), content);
  marks.set(name, String(marks.size + Math.random()));
}

const article = (body = "Text", ...lines: string[]) => head(...lines) + body;
const png = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const pathOf = (name: string) => join(folder, name);
/** Writes an article that shows this picture. */
const show = (picture: string) => write("shown.md", article(`![x](${picture})`));

it("lists articles newest first, and keeps one as it was while its file has a mistake", () => {
  write("older.md", article("Older").replace("2026-11-20", "2025-01-01"));
  write("newer.md", article("Before"));
  expect(readFolder(marks).articles.map(({ slug }) => slug)).toEqual(["newer", "older"]);
  write("newer.md", article("<b>After</b>"));
  const { articles, mistakes } = readFolder(marks);
  expect(articles[0]?.html).toContain("Before");
  expect(mistakes).toEqual(["newer.md, line 6: leave out HTML: write Markdown"]);
  marks.delete("newer.md");
  expect(readFolder(marks).articles.map(({ slug }) => slug)).toEqual(["older"]);
});

it("leads old addresses to the article that replaces them, unless a file is still there", () => {
  write("new-name.md", article("Text", "replaces: old-name"));
  write("third.md", article("Text", "replaces: [second, first]"));
  const movedThird = ["second", "first"].map((old) => [old, "third"] as const);
  write("removed.yaml", "- gone\n".repeat(1_001));
  expect(readFolder(marks).mistakes).toContainEqual(expect.stringContaining("removed.yaml: write a list of slugs"));
  write("removed.yaml", "- gone\n".repeat(1_000));
  const moved = new Map([["old-name", "new-name"], ...movedThird]);
  expect(readFolder(marks)).toMatchObject({ moved, removed: new Set(["gone"]) });
  write("old-name.md", article());
  const found = readFolder(marks);
  expect(found.moved).toEqual(new Map(movedThird));
  expect(found.mistakes).toEqual(["new-name.md: replaces: old-name.md is still there: delete it"]);
});

it.each<[string, () => void, string]>([
  ["a link out of the folder", () => symlinkSync("/etc/passwd", pathOf("one.md")), "not a link or a folder"],
  ["a folder", () => mkdirSync(pathOf("one.md")), "not a link or a folder"],
  ["200 kB", () => write("one.md", article("x".repeat(200_000))), "it is too large: at most 128 kB"],
  ["no UTF-8", () => write("one.md", Buffer.from([...Buffer.from(article()), 0xff])), "no text in UTF-8"],
  ["a picture of a byte over 1 MB", () => write("images/a.png", Buffer.alloc(1024 ** 2 + 1)), "at most 1024 kB"],
  ["a drawing in SVG", () => write("images/a.png", "<svg/>"), "use a PNG, JPEG, WebP or AVIF picture"],
  ["a picture that links out", () => symlinkSync("/etc/passwd", pathOf("images/a.png")), "not a link or a folder"],
  ["a picture above", () => show("images/../one.md"), "pictures are files in images/"],
])("refuses %s", (_what, make, rule) => {
  show("images/a.png");
  make();
  marks.set("one.md", "new");
  const { articles, mistakes } = readFolder(marks);
  expect(articles).toEqual([]);
  expect(mistakes.join("\n")).toContain(rule);
});

it("shows an article again once its picture is there", () => {
  show("images/a.png");
  expect(readFolder(marks).articles).toEqual([]);
  write("images/a.png", png);
  expect(readFolder(marks).articles).toHaveLength(1);
});
