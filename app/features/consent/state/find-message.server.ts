import { type Message, type MessageKey, inboxMessages, messages } from "~/content/messages";
import { readSessionCookie } from "~/server/cookies/session-cookie.server";
import type { SiteContext } from "~/server/site-context.server";
import { isChoiceKept } from "../ui/is-choice-kept";
import type { ConsentView } from "./consent-view.server";

/**
 * Finds the message for the notice in a page's address. A cookie decision counts as saved once the browser sends it
 * back. If it does not, the message says that the decision was not kept. A message about a session must agree with the
 * visitor's cookie. The inbox shows its own messages.
 * @returns `isAboutCookies`: an error page shows it, too
 */
export function findMessage(
  { notices, cookies }: Pick<SiteContext, "notices" | "cookies">,
  request: Request,
  consent: ConsentView,
): { key: MessageKey; message: Message; isAboutCookies: boolean } | null {
  const notice = notices.findFor(request);
  if (notice === null || inboxMessages.some((key) => key === notice.key)) return null;
  const { key, message } = notice;
  const hasSession = readSessionCookie(request, cookies.name("adminSession")).session !== null;
  const isLogout = key === "loggedOut" || key === "loggedOutHere";
  if ((isLogout && hasSession) || (key === "notAdmin" && !hasSession)) return null;
  const isAboutCookies = cookieMessages.has(key);
  const isKept = (key !== "choiceSaved" || isChoiceKept(consent)) && (key !== "bannerClosed" || !consent.asks);
  if (isKept) return { key, message, isAboutCookies };
  return notice.isFresh ? { key: "choiceNotKept", message: messages.choiceNotKept, isAboutCookies } : null;
}

const cookieMessages: ReadonlySet<MessageKey> = new Set([
  "choiceSaved",
  "bannerClosed",
  "consentTextChanged",
  "consentErased",
  "consentNotErased",
]);
