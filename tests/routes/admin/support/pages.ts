import { expect } from "vitest";
import { findTag, findTags } from "../../../support/page-source";
import { type Answer, leadsTo, noticeOf, readText } from "../../../support/visitor";

/** Expects a page with this status, whose words contain each of these. */
export function expectPage({ status, html }: Answer, expected: number, ...words: (string | RegExp)[]): void {
  expect(status).toBe(expected);
  for (const each of words) expect(readText(html)).toMatch(each);
}

/** Expects a redirect after a post, to this address and with this notice. */
export function expectDone(answer: Answer, address: string, notice: string | null = null): void {
  expect([answer.status, leadsTo(answer), noticeOf(answer)]).toEqual([303, address, notice]);
}

/** Reads the hidden fields of the form whose button sends this intent, and which contains the mark. */
export function formOf(html: string, intent: string, mark = ""): Record<string, string> {
  const form = html.split("<form").find((part) => part.includes(`value="${intent}"`) && part.includes(mark)) ?? "";
  const hidden = findTags(`<form${form}`, "input").filter(({ attributes }) => attributes.type === "hidden");
  return {
    ...Object.fromEntries(hidden.map(({ attributes }) => [attributes.name ?? "", attributes.value ?? ""])),
    intent,
  };
}

/** Reads the value of the first input with these attributes. */
export function valueOf(html: string, attributes: Record<string, string>): string | undefined {
  return findTag(html, "input", attributes)?.attributes.value;
}

/** Reads the version that the page shows. */
export const seenOn = (html: string) => valueOf(html, { name: "seen" }) ?? "";

/** Reads the text in the field for a reply, also of one that came back; undefined if the page has none. */
export function textareaOf(html: string, id = "(?:reply|kept)-text"): string | undefined {
  return new RegExp(`<textarea[^>]*id="${id}"[^>]*>\\n?([^<]*)</textarea>`).exec(html)?.[1];
}

/** Reads the senders of the messages on a page, in order. */
export function namesIn(html: string): string[] {
  return [...html.matchAll(/<h3 id="submission[^>]*>([^<]*)<\/h3>/g)].map(([, name = ""]) => name);
}

/** Finds the id of a sender's message in the inbox. */
export function findMessageId(html: string, name: string): string {
  return new RegExp(`<h3 id="submission-([0-9a-f-]{36})"[^>]*>${name}</h3>`).exec(html)?.[1] ?? "";
}
