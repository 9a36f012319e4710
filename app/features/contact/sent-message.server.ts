import { company } from "~/content/company";
import { looksUnfilled } from "~/content/firm/unfilled";
import { findPageLabel } from "~/content/navigation";
import { contactPage } from "~/content/pages/contact";
import { publicPaths } from "~/content/site-pages";
import { findContactOrigin } from "~/lib/pages/contact-origin";
import { computeReplyDue } from "~/lib/reply-promise";
import { formatReplyTime } from "~/lib/reply-time";
import type { SiteContext } from "~/server/site-context.server";

/** Facts of the page after a message was sent. */
export interface SentMessage {
  title: string;
  /** the page whose link led to the form, or the page about the firm */
  next: { label: string; path: string };
}

/**
 * Describes the message that the notice in a page's address confirms. Counts from the time of the notice, so that a
 * reload promises the same time.
 * @returns null if the address confirms none
 */
export function findSentMessage({ notices, settings }: SiteContext, { url }: Request): SentMessage | null {
  const notice = notices.find(url);
  if (notice?.key !== "contactSent" || notice.at === null) return null;
  const sentAt = new Date(notice.at);
  const due = computeReplyDue(sentAt, settings.replyClock);
  const by = formatReplyTime(due, sentAt, settings.replyClock.timeZone);
  const { name } = company.founder;
  return { title: contactPage.sent.title(looksUnfilled(name) ? null : name, by), next: findNext(new URL(url).search) };
}

function findNext(search: string): SentMessage["next"] {
  const { about, back, home } = contactPage.sent;
  const path = findContactOrigin(search, publicPaths);
  const label = path === "/" ? home : path && findPageLabel(path);
  return path && label ? { label: back(label), path } : about;
}
