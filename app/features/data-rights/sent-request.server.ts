import { describeMailWait } from "~/content/messages";
import { dataRightsForm } from "~/content/privacy/data-rights-form";
import { formatDay, localDay } from "~/lib/dates";
import type { SiteContext } from "~/server/site-context.server";
import { findDueDay } from "./due-day";

/**
 * Describes the next step of the request that the notice in a page's address confirms. Does not name the requester: the
 * address of the page holds no personal data.
 * @returns null if the address confirms none to this visitor
 */
export function findSentRequest({ notices, settings }: SiteContext, request: Request) {
  const notice = notices.findFor(request);
  if (notice === null || notice.at === null) return null;
  if (notice.key !== "dataRightsSent" && notice.key !== "complaintSent") return null;
  const isComplaint = notice.key === "complaintSent";
  const { title, lead, help } = dataRightsForm.sent[isComplaint ? "complaint" : "request"];
  const words = lead(formatDay(findDueDay(localDay(notice.at, settings.replyClock.timeZone))));
  const wait = notice.hours === 0 || isComplaint ? "" : ` ${describeMailWait(notice.hours)}`;
  return { title, lead: words + wait, help: help(notice.hours) };
}
