/** Most characters of a letter. The database counts the same. */
export const letterLimits = { subject: 200, body: 20_000 } as const;

/**
 * Most uses of `{name}` in a letter's text. A name has up to 100 characters, and the database takes mails of up to
 * 25,000 characters (private.require_mail): with more names, a long letter would reach some members and not others.
 */
export const maxNames = 20;

/** States of members who can get a letter. */
export const letterStates = ["confirmed", "admitted"] as const;
