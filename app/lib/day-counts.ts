/**
 * Kinds of daily counts; only sums are stored. `view` counts views by people, as far as user agents tell. Among them,
 * `referrer` counts views that came from other sites, by host, and `campaign` views whose link named a campaign.
 * `message` counts messages by the page that led to the form, `banner` counts decisions in the cookie banner.
 */
export const countKinds = ["view", "robot", "prefetch", "referrer", "campaign", "message", "banner"] as const;

/** One of {@link countKinds}. */
export type CountKind = (typeof countKinds)[number];

/**
 * Names of each kind and day that the database stores. Outsiders choose the names of referrers and campaigns, so the
 * number is limited.
 */
export const mostNames = 200;

/**
 * Names of each kind and day in one report. More than the database stores, because only the database knows which names
 * are new.
 */
export const mostNamesInReport = 1_000;

/** Maximum number of characters of a name. */
export const longestName = 64;

/** Collective name for names over the limit and for names that are not stored. */
export const otherName = "(other)";

/** Name for views and messages without a name. */
export const noName = "(none)";

/** A page's path, a host, a campaign or a decision. Only we produce the two names in parentheses. */
export const namePattern = /^(?:\(other\)|\(none\)|[a-z0-9/][a-z0-9/._-]{0,63})$/;

/** Counts of one day that are not yet in the database. */
export interface DayReport {
  /** ISO date in the firm's time zone (TIME_ZONE) */
  day: string;
  /** by kind and name; never 0 */
  counts: Partial<Record<CountKind, Record<string, number>>>;
}

/** Reports for days further away than this are rejected: no clock is that wrong, and no report waits that long. */
export const reportDays = 10;
