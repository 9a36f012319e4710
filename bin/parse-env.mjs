/** @typedef {{ values: Map<string, string>, mistakes: string[] }} ParsedEnv */

/** Assignment of a variable, as in shells. */
const assignment = /^(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/su;
/** Control and format characters, except the two joiners that some languages' spelling needs. */
const invisible = /[^\P{Cc}\t\n]|[^\P{Cf}\u200c\u200d]|[\u2028\u2029]/u;
const blank = /[\s\u200b\u200e\u200f\u2060]/u;
const quotes = ['"', "'", "`"];

/**
 * Parses the text of an `.env` file like Node.js, but reports mistakes where Node.js guesses. Unlike in Node.js, a `#`
 * inside an unquoted value belongs to it, as in shells and docker compose; after a space it starts a comment.
 * @param {string} text
 * @returns {ParsedEnv} values by name; a mistake names the line and the setting, never a value
 */
export function parseEnv(text) {
  const lines = text.split(/\r\n|\n|\r/);
  /** @type {Map<string, string>} */
  const values = new Map();
  /** @type {Map<string, number>} */
  const setOn = new Map();
  /** @type {string[]} */
  const mistakes = [];
  for (let at = 0; at < lines.length; at++) {
    const line = trim(lines[at] ?? "");
    if (line === "" || line.startsWith("#")) continue;
    const number = at + 1;
    const [, name, rest = ""] = assignment.exec(line) ?? [];
    if (name === undefined) {
      const hint = line.includes("=") ? "does not start with a name (letters, digits and _)" : "has no =";
      mistakes.push(`line ${number} ${hint}: write NAME=value, or put # before a comment`);
      continue;
    }
    const read = readValue(rest, lines, number);
    const mistake = read.mistake ?? findOddCharacter(read.value) ?? findContradiction(values.get(name), read.value);
    // A name in lower case may be a pasted key, so it is not printed.
    const called = /^[A-Z][A-Z0-9_]{0,40}$/.test(name) ? ` (${name})` : "";
    if (mistake) mistakes.push(`line ${number}${called} ${mistake.replace("{line}", String(setOn.get(name)))}`);
    // An empty value counts as not set, so a value added anywhere in a copy of .env.example wins.
    else if (read.value !== "" || !values.has(name)) values.set(name, read.value);
    if (!setOn.has(name) || read.value !== "") setOn.set(name, number);
    at += read.linesMore;
  }
  return { values, mistakes };
}

/**
 * @param {string} rest of the line, after the equals sign
 * @param {string[]} lines of the file
 * @param {number} next index of the following line, for a quoted value that continues there
 * @returns {{ value: string, linesMore: number, mistake?: string }}
 */
function readValue(rest, lines, next) {
  const quote = quotes.find((one) => rest.startsWith(one));
  if (quote === undefined) return { value: trim(rest.replace(/(?:^|\s)#.*$/su, "")), linesMore: 0 };
  const unclosed = "has an opening quotation mark without a closing one: add it at the end of the value";
  const more = rest.includes(quote, 1) ? 0 : countLinesTo(quote, lines, next);
  const within = lines.slice(next, next + more);
  // If the value would contain another setting, the closing mark is missing.
  const isForgotten = within.some((line) => assignment.test(trim(line)));
  if (isForgotten || (more === 0 && !rest.includes(quote, 1))) return { value: "", linesMore: 0, mistake: unclosed };
  const whole = [rest, ...within].join("\n");
  const end = whole.indexOf(quote, 1);
  const value = whole.slice(1, end);
  const behind = trim(whole.slice(end + 1));
  if (behind !== "" && !behind.startsWith("#"))
    return {
      value: "",
      linesMore: more,
      mistake:
        "continues after its closing quotation mark: put the whole value between quotation marks (' or \") that it does not contain",
    };
  return { value: quote === '"' ? value.replaceAll("\\n", "\n") : value, linesMore: more };
}

/** @param {string} quote @param {string[]} lines @param {number} next @returns {number} 0 if no line has the mark */
function countLinesTo(quote, lines, next) {
  for (let at = next; at < lines.length; at++) if (lines[at]?.includes(quote)) return at - next + 1;
  return 0;
}

/** @param {string} value @returns {string | undefined} */
function findOddCharacter(value) {
  if (/^[“”„‟«»‘’‚]/u.test(value))
    return "begins with a typographic quotation mark: write ' or \" around the value, or none";
  if (value.includes("\ufffd")) return "has a character that is not UTF-8: save the file as UTF-8";
  const [found] = invisible.exec(value) ?? [];
  if (found === undefined) return undefined;
  const code = found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return `contains an invisible character (U+${code}): retype the value`;
}

/** @param {string | undefined} before @param {string} now @returns {string | undefined} */
function findContradiction(before, now) {
  if (!before || now === "" || before === now) return undefined;
  return "has a different value on line {line}: delete one of the two lines";
}

/** Trims all spaces and zero-width characters, which come with copied text. @param {string} text */
function trim(text) {
  let [start, end] = [0, text.length];
  while (start < end && blank.test(text.charAt(start))) start++;
  while (end > start && blank.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
