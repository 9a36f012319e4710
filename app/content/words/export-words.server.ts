import { Document, type Node, isMap, isScalar, isSeq } from "yaml";
import { company, replyPromise } from "../company";
import { editablePages, isLocked } from "./editable-pages.server";
import { isTexts } from "./word-file.server";
import { findLengths } from "./word-rules.server";

const head = ` Each line is optional: without it, the page keeps its own text. Leave out lines that stay as they are, so that
 they follow the next version. A list of parts keeps their number; "- {}" leaves a part as it is.
 {{firm}} is the firm's name, {{reply}} the promised time.`;

/** Writes the words of a page as the file that changes them, with the allowed lengths as comments. */
export function writeWordFile(page: string): string {
  const document = new Document(findOpen(page, editablePages[page], ""));
  document.commentBefore = ` The words of the page "${page}".\n${head}`;
  if (document.contents) noteLengths(document.contents, "");
  return document.toString({ lineWidth: 0 });
}

/** Copies the part of the words that a file may change; undefined if there is none. */
function findOpen(page: string, words: unknown, key: string): unknown {
  if (words === "" || (key !== "" && isLocked(page, key))) return undefined;
  if (typeof words === "string")
    return words.replaceAll(company.name, "{{firm}}").replaceAll(replyPromise, "{{reply}}");
  if (isTexts(words)) return words.map((text) => findOpen(page, text, key));
  if (typeof words !== "object" || words === null) return undefined;
  const inner = Object.entries(words).map(([name, value]) => [
    name,
    findOpen(page, value, key === "" ? name : `${key}.${name}`),
  ]);
  if (Array.isArray(words))
    return inner.some(([, value]) => value !== undefined) ? inner.map(([, value]) => value ?? {}) : undefined;
  const open = inner.filter(([, value]) => value !== undefined);
  return open.length === 0 ? undefined : Object.fromEntries(open);
}

function noteLengths(node: Node, key: string): void {
  const [least, most] = findLengths(key);
  if (isScalar(node)) node.comment = ` ${least === 1 ? "at most" : `${least} to`} ${most} characters`;
  else if (isMap(node))
    for (const { key: name, value } of node.items)
      noteLengths(value as Node, `${key}${key === "" ? "" : "."}${String((name as { value: unknown }).value)}`);
  else if (isSeq(node)) for (const [index, item] of node.items.entries()) noteLengths(item as Node, `${key}.${index}`);
}
