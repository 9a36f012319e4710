import type { IncomingMessage, ServerResponse } from "node:http";
import type { Settings } from "../config/settings.server";
import { answerPlainly } from "./send-text.server";
import { isTrustedHost } from "./trusted-host.server";

/** Answers what no page can answer, by 405 or 400; false when the request may go on. */
export function refuse(request: IncomingMessage, response: ServerResponse, settings: Settings): boolean {
  if (!["GET", "HEAD", "POST"].includes(request.method ?? "")) {
    answerPlainly(response, 405, "Only GET, HEAD and POST work here.\n", { Allow: "GET, HEAD, POST" });
    return true;
  }
  if (!isReadablePath(request.url ?? "") || !isTrustedHost(request, settings)) {
    answerPlainly(response, 400, "The address of this request is broken.\n");
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
