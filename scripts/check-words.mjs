// Finds words and openings that make a sentence hard to read (docs/CONTRIBUTING.md, "Words"), and SQLSTATEs in tests of
// routes ("Tests"). It reads code, comments and documents, but not the firm's own texts in `content/`. Also finds links to
// documents and sections, and names of files in documents, that do not exist, and numbers and names in legal texts that
// are not from `content/facts.ts`.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const unwanted = ["whoever", "whatever", "whichever", "such a", "such an", "is told", "in the place of"];
const openings = ["What", "Who", "Whether", "Of", "As for"];

const isRead = /(?:\.(?:[cm]?[jt]sx?|sql|css|md|ya?ml|conf)|Dockerfile|Caddyfile|\.env\.example)$/;
/** Texts for visitors, the history, generated files, and this list. */
const isLeftOut = /(?:^|\/)content\/|^CHANGELOG|^supabase\/schema\.sql$|\/database-types\.ts$|package-lock|check-words/;

const words = new RegExp(String.raw`\b(?:${unwanted.join("|")})\b`, "gi");
/** A doc comment, a line comment that begins a block, or a comment on something in the database. */
const opening = new RegExp(
  String.raw`(?:/\*\*\s*(?:\n\s*\* )?|(?:^|\n)(?!\s*(?://|--))[^\n]*\n\s*(?://|--) |\bcomment on [^;']*\bis\s+')(?:${openings.join("|")})\b`,
  "g",
);

/** A stub of the backend may respond with an SQLSTATE, and the log holds them. */
const isRouteTest = /^tests\/routes\/(?!edge\/log-privacy|backend\/health|consent\/consent-records)/;
const sqlState = /\b(?:P[0T]\d{3}|22[0P]\d{2}|23\d{3}|4[02][05P]01|57014)\b/g;

const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n");
const findings = files
  .filter((file) => isRead.test(file) && !isLeftOut.test(file))
  .flatMap((file) => find(file, read(file), [words, opening]));
findings.push(...files.filter((file) => isRouteTest.test(file)).flatMap((file) => find(file, read(file), [sqlState])));
findings.push(...files.filter((file) => file.startsWith("app/content/legal/")).flatMap(findHandwritten));
findings.push(...files.filter((file) => /\.(?:tsx?|mjs|ya?ml|example|md|service)$/.test(file)).flatMap(findDeadLinks));
findings.push(...files.filter((file) => /^(?!CHANGELOG).*\.md$/.test(file)).flatMap(findDeadPaths));
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exit(1);

/** @param {string} file */
function read(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** @param {string} file @param {string} text @param {RegExp[]} patterns @returns {string[]} place and words of each finding */
function find(file, text, patterns) {
  const matches = patterns.flatMap((pattern) => [...text.matchAll(pattern)]);
  return matches.map((match) => {
    const end = match.index + match[0].length;
    const line = text.slice(0, end).split("\n").length;
    return `${file}:${line} ${match[0].trim().split("\n").at(-1)?.trim()}`;
  });
}

/** Finds numbers, periods, addresses, technical names and brackets that a legal text does not take from `{{facts}}`. @param {string} file */
function findHandwritten(file) {
  const body = read(file).replace(/^---\n.*?\n---\n/s, (head) => head.replaceAll(/[^\n]/g, ""));
  const number =
    /\d+|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty(?=[ -](?:day|month|year)s?)|hundred|thousand|half|dozen|twice|fortnight|(?:dai|week|month|year)ly|annual(?:ly)?)\b/gi;
  const unit =
    /\b(?:an?|one|per|each|every|few|several)\s+(?:calendar\s+)?(?:second|minute|hour|day|week|month|year)s?\b/gi;
  return find(file, body.replaceAll(/`?\{\{.*?\}\}`?/g, ""), [number, unit, /@|`[^`]+`|\b_\w+|\[[^\]]*\](?!\()/g]);
}

/** Finds pages and sections that a file names, or that a document links to, and that do not exist. @param {string} file */
function findDeadLinks(file) {
  const text = read(file);
  const headingsOf = (/** @type {string} */ page) =>
    [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, name = ""]) => name.replaceAll("`", ""));
  const named = [...text.matchAll(/\b(docs\/[\w/-]+\.md)(?:,\s+“([^”]+)”)?/g)];
  const linked = file.endsWith(".md") ? text.matchAll(/\]\((?!https?:|mailto:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g) : [];
  return [
    ...named.filter(([, page = "", section]) => !existsSync(page) || (section && !headingsOf(page).includes(section))),
    ...[...linked].filter(([, target = "", anchor]) => {
      const page = target === "" ? file : join(dirname(file), target);
      return !existsSync(page) || (anchor && !headingsOf(page).map(anchorOf).includes(anchor));
    }),
  ].map(([link]) => `${file} names what does not exist: ${link}`);
}

/** Finds files and folders that a document names in backticks, and that do not exist. @param {string} file */
function findDeadPaths(file) {
  const named = read(file).matchAll(/`((?:app|bin|deploy|public|scripts|supabase|tests|tools)\/[^\s`*<]+)`/g);
  const paths = [...named].flatMap(([, path = ""]) => expandBraces(path));
  return paths
    .filter((path) => !existsSync(path) && !isLeftOut.test(path))
    .map((path) => `${file} names what does not exist: ${path}`);
}

/** Names all that `a/{b,c}` means, as a shell does. @param {string} path @returns {string[]} */
function expandBraces(path) {
  const [braces, names] = /\{([^{}]*)\}/.exec(path) ?? [];
  if (braces === undefined) return [path];
  return (names ?? "").split(",").flatMap((name) => expandBraces(path.replace(braces, name)));
}

/** Writes the address of a heading as GitHub does. @param {string} heading */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .replaceAll(" ", "-");
}
