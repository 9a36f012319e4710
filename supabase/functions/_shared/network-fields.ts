/** Kinds of investor, in the order of /investors (REQUIREMENTS 1.2). */
export const networkKinds = ["angel", "credentialed", "family-office", "fund", "lender", "corporate"] as const;

/** Fields of interest, in the order of /investors (REQUIREMENTS 2.9). */
export const networkFields = [
  "platforms",
  "ai",
  "care-delivery",
  "behavioral-health",
  "devices",
  "wellness",
  "infrastructure",
] as const;

/** Ranges of a usual check, in US dollars. */
export const networkCheckSizes = ["under-25k", "25k-100k", "100k-500k", "500k-2m", "over-2m"] as const;

/** Ways to qualify as an accredited investor. The site checks none of them. */
export const networkQualifications = ["income", "net-worth", "license", "entity", "no"] as const;

/** Default of the setting NETWORK_MAILS_PER_HOUR: mails of letters to the network that are queued per hour. */
export const networkMailsPerHour = 200;

/** Maximum number of characters, as the database counts them. */
export const networkLimits = { name: 100, company: 200, place: 100 } as const;
