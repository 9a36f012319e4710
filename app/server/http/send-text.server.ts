import { STATUS_CODES, type ServerResponse } from "node:http";

/** Responds with one sentence of plain text, where the site cannot render a page. The sentence says what to do. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, STATUS_CODES[status], {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    ...headers,
  });
  response.end(text);
}
