import { text } from "node:stream/consumers";
import { PassThrough } from "node:stream";
import type { ReactNode } from "react";
import { renderToPipeableStream, renderToStaticMarkup } from "react-dom/server";

/**
 * Renders a page that no script takes over: at once, and without the marks between texts by which React would find its way.
 * @throws what keeps it from being rendered
 */
export function renderStatic(page: ReactNode): string {
  return `<!DOCTYPE html>${renderToStaticMarkup(page)}`;
}

/**
 * Renders a page that a script takes over, to one string: no page of ours waits for late data, a failure can still become a clean 500, and the data for
 * scripts, which Remix writes behind the document, can be put where HTML allows it.
 * @param onError told of every error inside the page, whether React recovers from it or not
 * @throws what keeps the page's outermost part from being rendered
 */
export function renderHydratable(
  page: ReactNode,
  { timeoutMs, onError }: { timeoutMs: number; onError: (error: unknown) => void },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(page, {
      onAllReady: () => {
        clearTimeout(timer);
        text(pipe(new PassThrough())).then((html) => resolve(closeDocumentLast(withoutNul(html))), reject);
      },
      onShellError: (error) => {
        clearTimeout(timer);
        reject(error);
      },
      onError,
    });
    const timer = setTimeout(abort, timeoutMs);
  });
}

/**
 * React 18 writes in steps of 2048 bytes, and where a character does not fit the rest of one it leaves NUL bytes before it.
 * HTML allows none anyway (HTML standard, section 13.2.3.5): what a visitor posted may hold some.
 */
function withoutNul(html: string): string {
  return html.replaceAll("\0", "");
}

function closeDocumentLast(html: string): string {
  const end = "</body></html>";
  const at = html.lastIndexOf(end);
  return at === -1 ? html : html.slice(0, at) + html.slice(at + end.length) + end;
}
