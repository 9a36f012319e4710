import type { Settings } from "../../config/settings.server";
import { sendText } from "../send-text.server";
import type { Step } from "./exchange.server";
import { createHostCheck } from "./trusted-host.server";

/** Rejects unsupported methods (405), and invalid addresses and hosts (400). */
export function refuseMalformed(settings: Pick<Settings, "siteUrlIsExplicit">): Step {
  const isTrustedHost = createHostCheck(settings);
  return ({ request, response }, next) => {
    if (!["GET", "HEAD", "POST"].includes(request.method ?? ""))
      sendText(response, 405, "Only GET, HEAD and POST are allowed here.\n", { Allow: "GET, HEAD, POST" });
    else if (decodePath(request.url ?? "") === null || !isTrustedHost(request))
      sendText(response, 400, "The address of this request is not valid.\n");
    else next();
  };
}

/** Characters that no page path has. Browsers read a backslash as a slash, and skip tabs and line breaks. */
const forbiddenCharacter = /[\p{Cc}\\]/u;

/** Decodes the path of a URL. Returns null for a path that no page can have. */
export function decodePath(url: string): string | null {
  if (!url.startsWith("/")) return null;
  try {
    const queryStart = url.indexOf("?");
    const written = queryStart === -1 ? url : url.slice(0, queryStart);
    const path = written.includes("%") ? decodeURIComponent(written) : written;
    return forbiddenCharacter.test(path) ? null : path;
  } catch {
    return null;
  }
}
