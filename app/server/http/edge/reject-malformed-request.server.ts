import type { IncomingMessage, ServerResponse } from "node:http";
import { sendText } from "../send-text.server";

/**
 * Answers what no page can answer, by 405 or 400.
 * @param isTrustedHost whether its host is one that the answer may depend on
 * @returns false when the request may go on
 */
export function rejectMalformedRequest(
  request: IncomingMessage,
  response: ServerResponse,
  isTrustedHost: (request: IncomingMessage) => boolean,
): boolean {
  if (!["GET", "HEAD", "POST"].includes(request.method ?? "")) {
    sendText(response, 405, "Only GET, HEAD and POST are allowed here.\n", { Allow: "GET, HEAD, POST" });
    return true;
  }
  if (decodePath(request.url ?? "") === null || !isTrustedHost(request)) {
    sendText(response, 400, "The address of this request is not valid.\n");
    return true;
  }
  return false;
}

/** No page has such characters in its path, and browsers read a backslash as a slash and skip tabs and line ends. */
const strangeCharacter = /[\p{Cc}\\]/u;

/** The path of an address, decoded; null where no page can have it. */
export function decodePath(url: string): string | null {
  if (!url.startsWith("/")) return null;
  try {
    const queryStart = url.indexOf("?");
    const written = queryStart === -1 ? url : url.slice(0, queryStart);
    const path = written.includes("%") ? decodeURIComponent(written) : written;
    return strangeCharacter.test(path) ? null : path;
  } catch {
    return null;
  }
}
