import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { company } from "../company";
import { looksUnfilled } from "../firm/unfilled";
import { line } from "../firm/fact-texts.server";
import { isDeep } from "../firm/yaml-text.server";
import { ArticleMistake, renderArticle } from "./article-text.server";

/** Name of an article's file without its ending, and the last part of its address. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Pages that an article can name: they show the newest three. */
const audiencePages = ["startups", "small-business", "growth-stage", "enterprises", "investors"] as const;

/** Names that addresses of this site use themselves. */
const taken = new Set(["images", "feed", "removed"]);

const slug = z.string().max(80).regex(slugPattern, "write small letters, digits and hyphens");
const day = z.iso.date("write the day as 2027-01-31");

const head = z.strictObject({
  title: line("write the title", 90),
  summary: line("write one or two sentences", 240),
  date: day,
  author: z.string("write the author’s name as in the facts").trim().optional(),
  audience: z.enum(audiencePages, `write one of ${audiencePages.join(", ")}`).optional(),
  kind: z.enum(["article", "example"], "write article or example").default("article"),
  client: line("write the client as the client agreed to be named", 120).optional(),
  consent: line("write when and how the client agreed", 240).optional(),
  disclosure: line(
    "write what readers must know: whether the client was paid, and that results may differ",
    400,
  ).optional(),
  replaces: z.union([slug, z.array(slug)], "write the old slug, or a list of them").default([]),
  draft: z.boolean("write true or false").default(false),
});

/** An article, ready to be shown. */
export type Article = z.output<typeof head> & {
  readonly slug: string;
  readonly author: string;
  readonly html: string;
  /** paths of its pictures in the folder */
  readonly images: readonly string[];
};

/**
 * Reads an article: a head between two lines of `---`, then Markdown.
 * @param findImage returns the address of a picture; throws an error that says what is wrong
 * @returns the article, or one line for each mistake: file, line and rule
 */
export function readArticle(name: string, text: string, findImage: (path: string) => string) {
  const file = `${name}.md`;
  const mistakes = (...rules: [number, string][]) => ({
    article: null,
    mistakes: rules.map(([at, rule]) => `${file}, line ${at}: ${rule}`),
  });
  if (!slug.safeParse(name).success || taken.has(name))
    return mistakes([1, "name the file with small letters, digits and hyphens, as its address shall be"]);
  const parts = /^---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n(.*))?$/s.exec(text.replace(/^\ufeff/, ""));
  if (parts === null) return mistakes([1, "begin with --- and the head, and end the head with ---"]);
  const [whole, top = "", body = ""] = parts;
  const odd = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Noncharacter_Code_Point}|[^\P{Cc}\t\r\n]/u.exec(text);
  if (odd)
    return mistakes([lineAt(text, odd.index), "leave out control characters and marks that change the direction"]);
  const found = parseHead(top);
  if ("rule" in found) return mistakes([found.line + 1, found.rule]);
  const parsed = head.safeParse(found.values ?? {});
  const rules = parsed.success ? findContradictions(parsed.data) : parsed.error.issues.map(describeIssue);
  if (!parsed.success || rules.length > 0)
    return mistakes(
      ...rules.map(([key, rule]): [number, string] => [found.lineOf(key), key === "" ? rule : `${key}: ${rule}`]),
    );
  const images: string[] = [];
  try {
    const html = renderArticle(body, (path) => {
      const address = findImage(path);
      images.push(path);
      return address;
    });
    const founder = looksUnfilled(company.founder.name) ? company.name : company.founder.name;
    return {
      mistakes: [],
      article: { ...parsed.data, slug: name, author: parsed.data.author ?? founder, html, images },
    };
  } catch (error) {
    if (!(error instanceof ArticleMistake)) throw error;
    return mistakes([lineAt(text, whole.length - body.length) + error.line - 1, error.message]);
  }
}

/** Parses the head as YAML without aliases. `lineOf`: the line of a key in the file */
function parseHead(top: string): { line: number; rule: string } | { values: unknown; lineOf: (key: string) => number } {
  if (isDeep(top)) return { line: 1, rule: "the head has too many levels" };
  const lineCounter = new LineCounter();
  // `core` without timestamps: a day stays a text.
  const document = parseDocument(top, { prettyErrors: false, lineCounter });
  const [error] = document.errors;
  if (error)
    return { line: lineCounter.linePos(error.pos[0]).line, rule: `the head is no valid YAML: ${error.message}` };
  try {
    const values = document.toJS({ maxAliasCount: 0 }) as unknown;
    const lineOf = (key: string) =>
      1 + Math.max(1, top.split("\n").findIndex((each) => each.startsWith(`${key}:`)) + 1);
    return { values, lineOf };
  } catch {
    return { line: 1, rule: "leave out aliases (*)" };
  }
}

function describeIssue(issue: z.core.$ZodIssue): [string, string] {
  if (issue.code === "unrecognized_keys")
    return [issue.keys[0] ?? "", `unknown key; known are ${Object.keys(head.shape).join(", ")}`];
  return [String(issue.path[0] ?? ""), issue.message];
}

/** Rules that concern several keys: an example names its client's consent and the adviser's disclosure. */
function findContradictions({ kind, client, consent, disclosure, author }: z.output<typeof head>): [string, string][] {
  const names = [company.founder.name, ...company.people.map(({ name }) => name), company.name];
  const given = { client, consent, disclosure };
  return [
    ...Object.entries(given).flatMap(([key, value]): [string, string][] =>
      kind === "example" && value === undefined ? [["kind", `an example needs ${key}`]] : [],
    ),
    ...Object.entries(given).flatMap(([key, value]): [string, string][] =>
      kind === "article" && value !== undefined ? [[key, "only an example has this: write kind: example"]] : [],
    ),
    ...(author !== undefined && !names.includes(author)
      ? ([["author", `write a name from the facts: ${names.join(" or ")}`]] as [string, string][])
      : []),
  ];
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
