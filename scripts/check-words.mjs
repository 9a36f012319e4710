// Finds words and openings that make a sentence hard to read (docs/CONTRIBUTING.md, "Words"), and SQLSTATEs in tests of
// routes ("Tests"). It reads code, comments and documents, but not the firm's own texts in `content/`.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

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

const sqlState = /\b(?:P[0T]\d{3}|22[0P]\d{2}|23\d{3}|4[02][05P]01|57014)\b/g;

const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n");
const findings = files
  .filter((file) => isRead.test(file) && !isLeftOut.test(file))
  .flatMap((file) => find(file, readFileSync(file, "utf8")));
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exit(1);

/** @param {string} file @param {string} text @returns {string[]} place and words of each finding */
function find(file, text) {
  // A stub of the backend may respond with one.
  const states = /^tests\/routes\/(?!edge\/log-privacy|backend\/migrations)/.test(file) ? text.matchAll(sqlState) : [];
  return [...text.matchAll(words), ...text.matchAll(opening), ...states].map((match) => {
    const end = match.index + match[0].length;
    const line = text.slice(0, end).split("\n").length;
    return `${file}:${line} ${match[0].trim().split("\n").at(-1)?.trim()}`;
  });
}
