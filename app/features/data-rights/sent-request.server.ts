import { dataRightsForm } from "~/content/privacy/data-rights-form";
import { formatDay, localDay } from "~/lib/dates";
import type { SiteContext } from "~/server/site-context.server";
import { findDueDay } from "./due-day";

/** Facts of the page after a data rights request was sent. */
export interface SentRequest {
  title: string;
  lead: string;
}

/**
 * Describes the next step of the request that the notice in a page's address confirms. Does not name the requester: the
 * address of the page holds no personal data.
 * @returns null if the address confirms none to this visitor
 */
export function findSentRequest({ notices, settings }: SiteContext, request: Request): SentRequest | null {
  const notice = notices.findFor(request);
  if (notice === null || notice.at === null) return null;
  if (notice.key !== "dataRightsSent" && notice.key !== "complaintSent") return null;
  const { title, lead } = dataRightsForm.sent[notice.key === "dataRightsSent" ? "request" : "complaint"];
  return { title, lead: lead(formatDay(findDueDay(localDay(notice.at, settings.replyClock.timeZone)))) };
}
