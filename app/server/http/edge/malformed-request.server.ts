import type { Settings } from "../../config/settings.server";
import { sendText } from "../send-text.server";
import type { Step } from "./exchange.server";
import { createHostCheck } from "./trusted-host.server";

/** Refuses a method that no page takes (405), and an address or a host that no response may depend on (400). */
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
