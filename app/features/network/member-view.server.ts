import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason";
import { networkPeriods } from "~/content/facts";
import { formatDay, formatDayOf } from "~/lib/dates";
import type { MemberView } from "./member-view";
import type { Membership } from "./membership.server";

/**
 * Prepares a membership for its page.
 * @param timeZone IANA name; the firm's zone, in which its days are meant
 */
export function toMemberView(token: string, membership: Membership, timeZone: string): MemberView {
  const { asked_at, confirmed_at, renewal_asked_at, unsubscribed_at, deleted_on, paused_at } = membership;
  const dayAfter = (instant: string, days: number) =>
    formatDayOf(new Date(Date.parse(instant) + days * millisecondsPerDay).toISOString(), timeZone);
  return {
    token,
    membership,
    linkEnds: formatDayOf(membership.link_ends_at, timeZone),
    asked: formatDayOf(asked_at, timeZone),
    confirmed: confirmed_at && formatDayOf(confirmed_at, timeZone),
    confirmBy: dayAfter(asked_at, networkPeriods.confirmDays),
    renewBy: renewal_asked_at && dayAfter(renewal_asked_at, networkPeriods.renewalDays),
    stopped:
      unsubscribed_at === null || deleted_on === null
        ? null
        : { on: formatDayOf(unsubscribed_at, timeZone), deletedOn: formatDay(deleted_on) },
    returned:
      paused_at === null
        ? null
        : { on: formatDayOf(paused_at, timeZone), reason: describeRefusal(membership.pause_reason) },
  };
}

const millisecondsPerDay = 24 * 60 * 60 * 1000;
