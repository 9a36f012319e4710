/**
 * What the site counts by the day, as numbers and nothing else. Views are of people, as far as user agents tell; of them, `referrer`
 * counts those that came from elsewhere, by host, and `campaign` those whose link named one. `message` counts messages by the page
 * that led to the form, and `banner` the answers to the question about cookies.
 */
export const countKinds = ["view", "robot", "prefetch", "referrer", "campaign", "message", "banner"] as const;

/** One of {@link countKinds}. */
export type CountKind = (typeof countKinds)[number];

/** Strangers choose the names of referrers and campaigns, so the database keeps few: of each kind a day. */
export const mostNames = 200;

/** Names of each kind and day in one report. More than the database keeps, since only the database knows which ones are new. */
export const mostNamesInReport = 1_000;

/** Characters of a name. */
export const longestName = 64;

/** Under this name counts what has none of its own: too many names, or one that is not kept. */
export const otherName = "(other)";

/** Under this name counts what named nothing. */
export const noName = "(none)";

/** A page's path, a host, a campaign or an answer; the two names in parentheses are ours alone. */
export const namePattern = /^(?:\(other\)|\(none\)|[a-z0-9/][a-z0-9/._-]{0,63})$/;

/** What was counted on one day and is not yet in the database. */
export interface DayReport {
  /** ISO date of the firm's own day (TIME_ZONE) */
  day: string;
  /** by kind and name; none is 0 */
  counts: Partial<Record<CountKind, Record<string, number>>>;
}

/** Reports of days that are further away than this are refused: no clock is so wrong, and nothing waits for so long. */
export const reportDays = 10;
