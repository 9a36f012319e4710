import { company } from "~/content/company";
import { networkPeriods } from "~/content/facts";
import { looksUnfilled } from "~/content/firm/unfilled";
import { findPageLabel } from "~/content/navigation";
import { describeMailWait } from "~/content/messages";
import { contactPage } from "~/content/pages/contact";
import { publicPaths } from "~/content/site-pages";
import { findContactOrigin } from "~/lib/pages/contact-origin";
import type { SentPageProps } from "~/ui/forms/sent-page";
import { computeReplyDue } from "~/lib/reply-promise";
import { formatReplyTime } from "~/lib/reply-time";
import type { SiteContext } from "~/server/site-context.server";

/** Facts of the page after a message was sent. */
export type SentMessage = Omit<SentPageProps, "email" | "children">;

/**
 * Describes the message that the notice in a page's address confirms. Counts from the time of the notice, so that a
 * reload promises the same time.
 * @returns null if the address confirms none to this visitor
 */
export function findSentMessage({ notices, settings }: SiteContext, request: Request): SentMessage | null {
  const notice = notices.findFor(request);
  if (notice === null || notice.at === null) return null;
  if (notice.key !== "contactSent" && notice.key !== "contactSentJoining") return null;
  const sentAt = new Date(notice.at);
  const due = computeReplyDue(sentAt, settings.replyClock);
  const by = formatReplyTime(due, sentAt, settings.replyClock.timeZone);
  const who = looksUnfilled(company.founder.name) ? null : company.founder.name;
  const { title, help, joining } = contactPage.sent;
  const next = findNext(new URL(request.url).search);
  if (notice.key === "contactSent") return { title: title(who, by), help, next };
  const wait = notice.hours === 0 ? [] : [describeMailWait(notice.hours)];
  const lead = [joining.lead(networkPeriods.confirmDays), ...wait, joining.reply(who, by)].join(" ");
  return { title: joining.title, lead, help: joining.help(notice.hours), next };
}

function findNext(search: string): SentMessage["next"] {
  const { about, back, home } = contactPage.sent;
  const path = findContactOrigin(search, publicPaths);
  const label = path === "/" ? home : path && findPageLabel(path);
  return path && label ? { label: back(label), path } : about;
}
