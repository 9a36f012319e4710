import { type Message, inboxMessages, messages } from "~/content/messages";
import type { Notices } from "~/server/notices.server";
import { isChoiceKept } from "../ui/is-choice-kept";
import type { ConsentView } from "./consent-view.server";

/**
 * Finds the message for the notice in a page's address. A cookie decision counts as saved once the browser sends it
 * back. If it does not, the message says that the decision was not kept. The inbox shows its own messages.
 */
export function findMessage(notices: Notices, request: Request, consent: ConsentView): Message | null {
  const notice = notices.find(request.url);
  if (notice === null || inboxMessages.some((key) => key === notice.key)) return null;
  const isKept =
    (notice.key !== "choiceSaved" || isChoiceKept(consent)) && (notice.key !== "bannerClosed" || !consent.asks);
  if (isKept) return notice.message;
  return notice.isFresh ? messages.choiceNotKept : null;
}
