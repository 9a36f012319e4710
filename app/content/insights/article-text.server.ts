import { Marked, type Token, type Tokens } from "marked";

/** A mistake in an article, at the line of its text. */
export class ArticleMistake extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

/** Elements that can reach a page. HTML is not among them. */
const allowed = new Set([
  "space",
  "heading",
  "paragraph",
  "text",
  "escape",
  "list",
  "list_item",
  "checkbox",
  "strong",
  "em",
  "del",
  "codespan",
  "code",
  "link",
  "image",
  "blockquote",
  "table",
  "hr",
  "br",
]);

const link = /^(?:\/(?![/\\])[^\s\\]*|#[^\s]*|mailto:[^\s?]+|https?:\/\/[^\s]+)$/;
/** The parser calls itself for each level, and reads some repeated marks in time that grows faster than they do. */
const mostLevels = 12;
const mostLinks = 500;
const tooDeep = /^(?:[ \t]*(?:>|[-*+]|\d+[.)])[ \t]?){13}|^[ \t]{60}|[[(*_~`<]{40}/m;

const markdown = new Marked();

/**
 * Renders an article's Markdown.
 * @param findImage returns the address of a picture in `images/`; throws an error that says what is wrong with it
 * @returns HTML of the allowed elements
 * @throws ArticleMistake for what may not be on a page
 */
export function renderArticle(text: string, findImage: (name: string) => string): string {
  const lineOf = (raw: string) => text.slice(0, Math.max(0, text.indexOf(raw.trim()))).split("\n").length;
  const deep = tooDeep.exec(text);
  if (deep) throw new ArticleMistake(`it has more than ${mostLevels} levels`, lineOf(deep[0]));
  const tokens = markdown.lexer(text);
  let links = 0;
  markdown.walkTokens(tokens, (token) => {
    const fail = (rule: string) => {
      throw new ArticleMistake(rule, lineOf(token.raw));
    };
    if (token.type === "html") fail("leave out HTML: write Markdown");
    if (!allowed.has(token.type)) fail(`this is not possible here: ${token.type}`);
    if (isA(token, "heading") && token.depth === 1) fail("begin headings with ## or ###: the title is in the head");
    if (isA(token, "image")) {
      if (token.text.trim() === "") fail("describe the picture between the brackets: ![…](images/…)");
      try {
        token.href = findImage(token.href);
      } catch (error) {
        fail(`${token.href.slice(0, 80)}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (!isA(token, "link")) return;
    links += 1;
    if (links > mostLinks) fail(`it has more than ${mostLinks} links`);
    if (!link.test(token.href)) fail("links begin with https://, mailto:, / or #");
  });
  return markdown.parser(tokens);
}

function isA<Type extends "heading" | "image" | "link">(
  token: Token,
  type: Type,
): token is { heading: Tokens.Heading; image: Tokens.Image; link: Tokens.Link }[Type] {
  return token.type === type;
}
