import { Marked, type Token, type Tokens } from "marked";
import type { LegalValues } from "./legal-values.server";

/** A part of a text: the content under one heading, or before the first one (`title` is then null). */
export interface LegalPart {
  title: string | null;
  html: string;
}

/** Thrown for a legal text that must not be published. The message says what is wrong with it. */
export class LegalTextError extends Error {
  override name = "LegalTextError";
}

/** Excludes HTML, images, tables and code blocks on purpose: only listed elements can reach a page. */
const allowedTokens = new Set([
  "space",
  "heading",
  "paragraph",
  "text",
  "list",
  "list_item",
  "strong",
  "em",
  "codespan",
  "link",
]);

const allowedLink = /^(?:\/[a-z-]+|mailto:[^\s?]+|https:\/\/[^\s]+)$/;
const placeholder = /\{\{([\w.]*)\}\}/g;
const markdown = new Marked();

/**
 * Renders Markdown as HTML in parts: `##` begins a part, `###` stays inside. Fills in facts (`{{name}}`) as text after
 * parsing the Markdown, so that no fact can become markup.
 * @throws LegalTextError for a name that is not in `values`, and for markup that is not allowed
 */
export function renderLegalText(source: string, values: LegalValues): LegalPart[] {
  const tokens = markdown.lexer(source);
  markdown.walkTokens(tokens, (token) => checkAndFill(token, values));
  return splitAtHeadings(tokens).map(({ title, body }) => {
    const html = markdown.parser(body);
    const left = /\{\{|\}\}/.exec(`${title ?? ""}${html}`);
    if (left) throw new LegalTextError(`Unfilled placeholder near: ${html.slice(Math.max(0, left.index - 20), 120)}`);
    return { title, html };
  });
}

function checkAndFill(token: Token, values: LegalValues): void {
  if (!allowedTokens.has(token.type)) throw new LegalTextError(`Not allowed in legal text: ${token.type} ${token.raw}`);
  if (isLink(token)) {
    token.href = fill(token.href, values);
    if (!allowedLink.test(token.href)) throw new LegalTextError(`Not allowed as a link: ${token.href}`);
  }
  if (isLeaf(token)) token.text = fill(token.text, values);
}

function fill(text: string, values: LegalValues): string {
  return text.replace(placeholder, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (!value) throw new LegalTextError(`Unknown placeholder: {{${name}}}`);
    return value;
  });
}

function splitAtHeadings(tokens: Token[]): { title: string | null; body: Token[] }[] {
  const parts: { title: string | null; body: Token[] }[] = [{ title: null, body: [] }];
  for (const token of tokens) {
    if (!isHeading(token) || token.depth === 3) parts.at(-1)?.body.push(token);
    else if (token.depth === 2) parts.push({ title: token.text, body: [] });
    else throw new LegalTextError(`Headings are ## or ###: ${token.raw}`);
  }
  return parts;
}

function isLink(token: Token): token is Tokens.Link {
  return token.type === "link";
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

/** Returns true for text without child tokens. */
function isLeaf(token: Token): token is Tokens.Text | Tokens.Codespan {
  return token.type === "codespan" || (token.type === "text" && !("tokens" in token && token.tokens));
}
