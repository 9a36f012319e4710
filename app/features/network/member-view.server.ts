import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason";
import { networkPeriods } from "~/content/facts";
import { formatDay, formatDayOf } from "~/lib/dates";
import type { Membership } from "./membership.server";

/**
 * Prepares a membership for its page. Days are in words.
 * @param timeZone IANA name; the firm's zone, in which its days are meant
 */
export function toMemberView(token: string, membership: Membership, timeZone: string) {
  const { asked_at, confirmed_at, renewal_asked_at, unsubscribed_at, deleted_on, paused_at } = membership;
  const dayAfter = (instant: string, days: number) =>
    formatDayOf(new Date(Date.parse(instant) + days * millisecondsPerDay).toISOString(), timeZone);
  return {
    token,
    membership,
    /** day on which this link ends, at the latest */
    linkEnds: formatDayOf(membership.link_ends_at, timeZone),
    asked: formatDayOf(asked_at, timeZone),
    /** null before the confirmation */
    confirmed: confirmed_at && formatDayOf(confirmed_at, timeZone),
    /** last day to confirm */
    confirmBy: dayAfter(asked_at, networkPeriods.confirmDays),
    /** last day to say yes to staying; null if no renewal was requested */
    renewBy: renewal_asked_at && dayAfter(renewal_asked_at, networkPeriods.renewalDays),
    /** null unless the member stopped all mail */
    stopped:
      unsubscribed_at === null || deleted_on === null
        ? null
        : { on: formatDayOf(unsubscribed_at, timeZone), deletedOn: formatDay(deleted_on) },
    /** null unless mail to the member was returned */
    returned:
      paused_at === null
        ? null
        : { on: formatDayOf(paused_at, timeZone), reason: describeRefusal(membership.pause_reason) },
  };
}

/** A membership as its page shows it. */
export type MemberView = ReturnType<typeof toMemberView>;

const millisecondsPerDay = 24 * 60 * 60 * 1000;
