import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { findPictureKind } from "../firm/portrait-file.server";
import { type Article, readArticle, slugPattern } from "./article.server";

const largestArticle = 128 * 1024;
const largestPicture = 1024 * 1024;

/** Pictures of articles, below the folder. */
const pictures = "images";
const removedName = "removed.yaml";

/** A file of the folder as it was read. `mark` changes with the file. */
interface ReadFile {
  readonly mark: string;
  readonly article: Article | null;
  readonly mistakes: readonly string[];
}

/** Articles and addresses of a folder. */
export interface FoundInsights {
  /** newest first; with drafts, and with articles of later days */
  readonly articles: readonly Article[];
  /** addresses that lead to others, by slug */
  readonly moved: ReadonlyMap<string, string>;
  readonly removed: ReadonlySet<string>;
  /** one line for each: file, line and rule */
  readonly mistakes: readonly string[];
}

/**
 * Creates the reader of a folder of articles. It reads a file again when it changed; an article with a mistake stays as
 * it was before.
 */
export function createInsightsReader(folder: string) {
  let files = new Map<string, ReadFile>();

  function readOne(name: string, mark: string): ReadFile {
    const before = files.get(name);
    if (before?.mark === mark) return before;
    const last = before?.article ?? null;
    try {
      const text = decode(readRegular(join(folder, name), largestArticle));
      const found = readArticle(name.slice(0, -".md".length), text, (path) => findImage(folder, path));
      return { mark, article: found.article ?? last, mistakes: found.mistakes };
    } catch (error) {
      return { mark, article: last, mistakes: [`${name}, line 1: ${describe(error)}`] };
    }
  }

  /** @param marks names below the folder, each with what changes whenever the file does */
  return (marks: ReadonlyMap<string, string>): FoundInsights => {
    const names = [...marks.keys()].filter((name) => /^[^.~#/][^/]*\.md$/.test(name));
    // An article also changes with its pictures.
    const pictureMarks = JSON.stringify([...marks].filter(([name]) => name.startsWith(`${pictures}/`)));
    files = new Map(names.map((name) => [name, readOne(name, `${marks.get(name)} ${pictureMarks}`)]));
    const articles = [...files.values()]
      .flatMap(({ article }) => article ?? [])
      .toSorted((a, b) => b.date.localeCompare(a.date) || a.slug.localeCompare(b.slug));
    const slugs = new Set(articles.map(({ slug }) => slug));
    const removed = readRemoved(folder, marks.has(removedName));
    const moves = articles.flatMap(({ slug, replaces }) => [replaces].flat().map((old) => [old, slug] as const));
    const mistakes = [
      ...[...files.values()].flatMap((file) => file.mistakes),
      ...moves.flatMap(([old, slug]) =>
        slugs.has(old) ? [`${slug}.md: replaces: ${old}.md is still there: delete it`] : [],
      ),
      ...removed.mistakes,
    ];
    return { articles, moved: new Map(moves.filter(([old]) => !slugs.has(old))), removed: removed.slugs, mistakes };
  };
}

/** @throws Error that says what is wrong with the file */
function readRegular(file: string, largest: number): Buffer {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new Error("there is no such file");
  if (!found.isFile()) throw new Error("put the file itself here, not a link or a folder");
  if (found.size > largest) throw new Error(`it is too large: at most ${largest / 1024} kB`);
  return readFileSync(file);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("it is no text in UTF-8: save it as that");
  }
}

/**
 * Finds the picture that an article shows.
 * @param path as written, such as `images/board.png`
 * @returns its address
 * @throws Error that says what is wrong
 */
function findImage(folder: string, path: string): string {
  if (!/^images\/[\w-][\w.-]*$/.test(path)) throw new Error("pictures are files in images/, such as images/board.png");
  readPicture(folder, path.slice("images/".length));
  return `/insights/${path}`;
}

/** @throws Error that says what is wrong */
export function readPicture(folder: string, name: string) {
  const bytes = readRegular(join(folder, pictures, name), largestPicture);
  const kind = findPictureKind(bytes);
  if (kind === null) throw new Error("use a PNG, JPEG, WebP or AVIF picture");
  return { type: `image/${kind}`, bytes: Uint8Array.from(bytes) };
}

const removedSchema = z.array(z.string().regex(slugPattern)).max(1_000);

function readRemoved(folder: string, isThere: boolean) {
  const nothing = new Set<string>();
  if (!isThere) return { slugs: nothing, mistakes: [] };
  try {
    const text = decode(readRegular(join(folder, removedName), largestArticle));
    return { slugs: new Set(removedSchema.parse(parseYaml(text, { maxAliasCount: 0 }) ?? [])), mistakes: [] };
  } catch {
    return { slugs: nothing, mistakes: [`${removedName}: write a list of slugs, one a line, such as "- old-article"`] };
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
