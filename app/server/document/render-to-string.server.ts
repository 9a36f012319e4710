import { text } from "node:stream/consumers";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { ReactNode } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";

/**
 * Renders a page that no script takes over: without the marks between texts by which React would find its way.
 * @throws what keeps it from being rendered
 */
export function renderStatic(page: ReactNode): string {
  return `<!DOCTYPE html>${renderToStaticMarkup(page)}`;
}

/**
 * Renders a page that a script takes over. At once as well: no page of ours has parts that come late, and React's renderer for
 * those takes longer (decision 61).
 * @throws what keeps it from being rendered
 */
export function renderHydratable(page: ReactNode): string {
  return `<!DOCTYPE html>${withoutNul(renderToString(page))}`;
}

/**
 * Writes the data that a page's script begins with, as Remix's own component does: where React renders that, it waits for it and
 * marks it as a part that came later.
 * @param data the page's data, encoded (`serverHandoffStream` of Remix's entry context)
 * @param nonce of this page's scripts
 */
export async function addHandoff(html: string, data: ReadableStream<Uint8Array>, nonce: string): Promise<string> {
  const encoded = JSON.stringify(await text(data as NodeReadableStream)).replace(unsafeInScript, escapeUnicode);
  const scripts = [`enqueue(${encoded})`, "close()"]
    .map((call) => `<script nonce="${nonce}">window.__remixContext.streamController.${call};</script>`)
    .join("");
  const end = html.lastIndexOf("</body></html>");
  return html.slice(0, end) + scripts + html.slice(end);
}

/** What would end a script, or a string in one. */
const unsafeInScript = /[&<>\u2028\u2029]/g;
const escapeUnicode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** HTML allows no NUL (HTML standard, section 13.2.3.5), and what a visitor posted may hold some. */
function withoutNul(html: string): string {
  return html.includes("\0") ? html.replaceAll("\0", "") : html;
}
