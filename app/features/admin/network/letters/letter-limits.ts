/** Most characters of a letter. The database counts the same. */
export const letterLimits = { subject: 200, body: 20_000 } as const;

/** States of members who can get a letter. */
export const letterStates = ["confirmed", "admitted"] as const;
