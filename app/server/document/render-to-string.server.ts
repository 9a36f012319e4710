import { text } from "node:stream/consumers";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { ReactNode } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";

/**
 * Renders a page that is never hydrated, without the comments that React writes between text nodes for hydration.
 * @throws the error of a component
 */
export function renderStatic(page: ReactNode): string {
  return `<!DOCTYPE html>${renderToStaticMarkup(page)}`;
}

/**
 * Renders a page for hydration. Like {@link renderStatic}, it is synchronous: no page has parts that load later, and
 * React's streaming renderer takes longer (decision 3).
 * @throws the error of a component
 */
export function renderHydratable(page: ReactNode): string {
  return `<!DOCTYPE html>${removeNul(renderToString(page))}`;
}

/**
 * Appends the data for hydration in the format of Remix's own component. If React rendered that component, it would
 * suspend on the data and mark it as a late part.
 * @param data the page's data, encoded (`serverHandoffStream` of Remix's entry context)
 * @param nonce of this page's scripts
 */
export async function addHandoff(html: string, data: ReadableStream<Uint8Array>, nonce: string): Promise<string> {
  const encoded = JSON.stringify(await text(data as NodeReadableStream)).replace(unsafeInScript, escapeUnicode);
  const stream = "window.__remixContext.streamController";
  const script = `<script nonce="${nonce}">${stream}.enqueue(${encoded});${stream}.close();</script>`;
  const end = html.lastIndexOf("</body></html>");
  return html.slice(0, end) + script + html.slice(end);
}

/** Characters that would end a script element or a string in a script. */
const unsafeInScript = /[&<>\u2028\u2029]/g;
const escapeUnicode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Removes NUL, which HTML does not allow (HTML standard, section 13.2.3.5) and posted text may contain. */
function removeNul(html: string): string {
  return html.includes("\0") ? html.replaceAll("\0", "") : html;
}
