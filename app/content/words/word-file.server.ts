import { LineCounter, type Node, type Pair, isAlias, isMap, isNode, isScalar, isSeq, parseDocument, visit } from "yaml";
import { isDeep } from "../firm/yaml-text.server";
import { isLocked } from "./editable-pages.server";
import type { ShownWord } from "./replace-word";
import { findFault } from "./word-rules.server";

/** One text that a file changes, without surrounding spaces. A list of texts is changed as a whole. */
export interface WordChange extends ShownWord {
  readonly page: string;
}

/** Texts of a list that may have more or fewer than the built-in one. */
const mostParagraphs = 8;

/**
 * Reads the file of one page. Lists of parts keep their number, because the specification counts them: a part that the
 * file leaves empty keeps its words.
 * @param builtIn the page's own words
 * @returns all changes, and one line for each mistake: file, line, key and rule
 */
export function readWordFile(page: string, builtIn: object, text: string) {
  const changes: WordChange[] = [];
  const mistakes: string[] = [];
  const lineCounter = new LineCounter();
  const note = (at: number | undefined, key: string, rule: string) => {
    const line = at === undefined ? 1 : lineCounter.linePos(at).line;
    mistakes.push(`${page}.yaml, line ${line}: ${key === "" ? "" : `${key}: `}${rule}`);
  };
  if (isDeep(text)) return { changes, mistakes: [`${page}.yaml, line 1: it has too many levels`] };
  // Not `prettyErrors`, which counts the lines above each of thousands of mistakes.
  const document = parseDocument(text, { prettyErrors: false, lineCounter });
  const [error] = document.errors;
  if (error) note(error.pos[0], "", `it is no valid YAML: ${error.message}`);
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node) || node.anchor !== undefined)
        note(node.range?.[0], "", "write each text where it belongs, without & and *");
      else if (node.tag !== undefined) note(node.range?.[0], "", "leave out the tag that begins with !");
    },
  });
  if (mistakes.length > 0) return { changes, mistakes };

  function read(node: Node | null, known: unknown, path: readonly (string | number)[]): void {
    const key = path.join(".");
    const at = node?.range?.[0];
    if (node === null || (isScalar(node) && node.value === null)) return;
    if (isLocked(page, key) || known === "") return note(at, key, "locked: this site’s rules fix it");
    if (typeof known === "string") {
      const value = readText(node, key);
      if (value !== null) changes.push({ page, path, value });
    } else if (isTexts(known)) {
      if (!isSeq(node) || node.items.length === 0 || node.items.length > mostParagraphs)
        return note(at, key, `write a list of one to ${mostParagraphs} texts`);
      const values = node.items.map((item) => readText(item as Node, key));
      if (values.every((value) => value !== null)) changes.push({ page, path, value: values });
    } else if (Array.isArray(known)) {
      if (!isSeq(node) || node.items.length !== known.length)
        return note(at, key, `write a list of ${known.length} parts; one that stays as it is reads "- {}"`);
      for (const [index, item] of node.items.entries()) read(item as Node, known[index], [...path, index]);
    } else if (typeof known === "object" && known !== null) readMap(node, known, path);
    else note(at, key, "locked: this site’s rules fix it");
  }

  function readMap(node: Node, known: object, path: readonly (string | number)[]): void {
    if (!isMap(node)) return note(node.range?.[0], path.join("."), "write “key: text” lines below it");
    for (const { key: name, value } of node.items as Pair<Node, Node | null>[]) {
      const word = isScalar(name) ? String(name.value) : "";
      if (Object.hasOwn(known, word)) read(value, known[word as keyof typeof known], [...path, word]);
      else
        note(
          name.range?.[0],
          [...path, word].join("."),
          `unknown key; known are ${listKeys(page, known, path).join(", ")}`,
        );
    }
  }

  function readText(node: Node, key: string): string | null {
    if (!isScalar(node) || typeof node.value !== "string") {
      note(node.range?.[0], key, "write a text, in quotation marks if it is a number");
      return null;
    }
    const value = node.value.trim();
    const fault = findFault(key, value);
    if (fault !== null) note(node.range?.[0], key, fault);
    return fault === null ? value : null;
  }

  if (isNode(document.contents)) read(document.contents, builtIn, []);
  return { changes, mistakes };
}

/** Lists the keys that a file may change. */
export function listKeys(page: string, known: object, path: readonly (string | number)[]): string[] {
  return Object.entries(known)
    .filter(([key, value]) => typeof value !== "function" && !isLocked(page, [...path, key].join(".")))
    .map(([key]) => key);
}

/** Tells whether a value is a list of texts. */
export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
