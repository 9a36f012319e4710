/** @typedef {{ settings: Map<string, { value: string, line: number }>, mistakes: string[] }} ParsedEnv */

/** Assignment of a variable, as in shells. */
const assignment = /^(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/su;
/** Control and format characters, except the two joiners that some languages' spelling needs. */
const invisible = /[^\P{Cc}\t\n]|[^\P{Cf}\u200c\u200d]|[\u2028\u2029]/u;
const blank = /[\s\u200b\u200e\u200f\u2060]/u;
const quotes = ['"', "'", "`"];
const comment = /(?:^|\s)#.*$/su;

/**
 * Parses the text of a settings file like Node.js, but reports mistakes where Node.js guesses. A value ends with its
 * line: a forgotten quotation mark must not take in the next setting. Unlike in Node.js, a `#` inside an unquoted value
 * belongs to it, as in shells and docker compose; after a space it starts a comment.
 * @param {string} text
 * @returns {ParsedEnv} values with their lines by name; a mistake names the line and the setting, never a value
 */
export function parseEnv(text) {
  /** @type {ParsedEnv["settings"]} */
  const settings = new Map();
  /** @type {string[]} */
  const mistakes = [];
  for (const [at, whole] of text.split(/\r\n|\n|\r/).entries()) {
    const words = trim(whole);
    if (words === "" || words.startsWith("#")) continue;
    const line = at + 1;
    const [, name, rest = ""] = assignment.exec(words) ?? [];
    if (name === undefined) {
      mistakes.push(`line ${line} ${findNameFault(words)}`);
      continue;
    }
    const read = readValue(name, rest);
    const before = settings.get(name);
    const mistake = read.mistake ?? findOddCharacter(read.value) ?? findContradiction(before, read.value);
    // A name in lower case may be a pasted key, so it is not printed.
    const called = /^[A-Z][A-Z0-9_]{0,40}$/.test(name) ? ` (${name})` : "";
    if (mistake) mistakes.push(`line ${line}${called} ${mistake}`);
    // An empty value counts as not set, so a value added anywhere in a copy of .env.example wins.
    else if (read.value !== "" || before === undefined) settings.set(name, { value: read.value, line });
  }
  return { settings, mistakes };
}

/** Says what keeps a line from being an assignment. @param {string} line */
function findNameFault(line) {
  const before = line.slice(0, line.indexOf("=") + 1);
  const [foreign] = /[^\x20-\x7e]/u.exec(before) ?? [];
  const odd =
    findOddCharacter(before) ??
    (foreign && `has a character before the = that only looks right (${nameOf(foreign)}): retype the name`);
  if (odd) return odd;
  const hint = before === "" ? "has no =" : "does not start with a name (letters, digits and _)";
  return `${hint}: write NAME=value, or put # before a comment`;
}

/**
 * @param {string} name
 * @param {string} rest of the line, after the equals sign
 * @returns {{ value: string, mistake?: string }}
 */
function readValue(name, rest) {
  const quote = quotes.find((one) => rest.startsWith(one));
  if (quote === undefined) {
    // A password may contain a #, and the part behind it would be lost.
    if (/PASSWORD|SECRET|KEY/.test(name) && comment.test(rest))
      return {
        value: "",
        mistake: "has a # after a space: put the value between quotation marks, or the comment on its own line",
      };
    return { value: trim(rest.replace(comment, "")) };
  }
  const end = rest.indexOf(quote, 1);
  if (end < 0)
    return {
      value: "",
      mistake: "has an opening quotation mark without a closing one: add it at the end of the value, on the same line",
    };
  const value = rest.slice(1, end);
  const behind = trim(rest.slice(end + 1));
  if (behind !== "" && !behind.startsWith("#"))
    return {
      value: "",
      mistake:
        "continues after its closing quotation mark: put the whole value between quotation marks (' or \") that it does not contain",
    };
  return { value: quote === '"' ? value.replaceAll("\\n", "\n") : value };
}

/** @param {string} value @returns {string | undefined} */
function findOddCharacter(value) {
  if (/^[“”„‟«»‘’‚]/u.test(value))
    return "begins with a typographic quotation mark: write ' or \" around the value, or none";
  if (value.includes("\ufffd")) return "has a character that is not UTF-8: save the file as UTF-8";
  const [found] = invisible.exec(value) ?? [];
  if (found === undefined) return undefined;
  return `contains an invisible character (${nameOf(found)}): retype the line`;
}

/** @param {string} character */
function nameOf(character) {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** @param {{ value: string, line: number } | undefined} before @param {string} now @returns {string | undefined} */
function findContradiction(before, now) {
  if (!before?.value || now === "" || before.value === now) return undefined;
  return `has a different value on line ${before.line}: delete one of the two lines`;
}

/** Trims all spaces and zero-width characters, which come with copied text. @param {string} text */
function trim(text) {
  let [start, end] = [0, text.length];
  while (start < end && blank.test(text.charAt(start))) start++;
  while (end > start && blank.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
