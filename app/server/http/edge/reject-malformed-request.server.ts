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
  if (!isReadablePath(request.url ?? "") || !isTrustedHost(request)) {
    sendText(response, 400, "The address of this request is not valid.\n");
    return true;
  }
  return false;
}

/** No page has such characters in its path, and browsers read a backslash as a slash and skip tabs and line ends. */
const strangeCharacter = /[\p{Cc}\\]/u;

function isReadablePath(url: string): boolean {
  if (!url.startsWith("/")) return false;
  try {
    return !strangeCharacter.test(decodeURIComponent(url.split("?", 1)[0] ?? ""));
  } catch {
    return false;
  }
}
