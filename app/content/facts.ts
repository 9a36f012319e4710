/** How long personal data is kept (REQUIREMENTS 10). */
export const retention = {
  contactSubmissionYears: 2,
  /** at most; a withdrawn consent ends it sooner */
  consentRecordYears: 2,
  /** after the withdrawal, which stays provable for that long */
  withdrawnConsentDays: 30,
  /** of the refusal that a browser's signal made, which holds no user agent and a number that nobody was told */
  signalRecordDays: 30,
  /** of the internet address of the machine that a message came from */
  senderAddressDays: 30,
  /** after they were closed */
  closedRequestYears: 3,
  /** after their request was closed: so long the link works that shows it */
  statusLinkDays: 90,
  /** after they were due */
  unconfirmedRequestDays: 30,
  /** after delivery */
  mailDays: 30,
  /** of what happened with an admin's account */
  accountEventDays: 30,
  /** of how often pages were viewed, by the day; it names no visitor */
  dayCountMonths: 13,
  /** so long delivery is tried before it is given up */
  mailAttemptDays: 5,
  /** of what proves that all this was done; it names no visitor */
  recordYears: 3,
  analyticsMonths: 26,
  analyticsAnonymizedAfterMonths: 14,
} as const;

/** What one client may do before it is told to wait; only what stands against abuse, never against somebody in a hurry. */
export const clientLimits = {
  /** in which posts and visits of links are counted */
  windowMinutes: 10,
  /** pages that a secret link opens, in that time; how many forms it may send is a setting */
  linkVisits: 30,
  /** an IPv6 /48 may do as much as so many clients */
  clientsPerNetwork: 4,
} as const;

/**
 * How many acknowledgements the site sends, so that nobody can flood a stranger's mailbox through its forms: as many
 * of messages, and as many of data rights requests. The database keeps to them (migration "rate_limits"; a test compares).
 */
export const acknowledgementLimits = {
  /** so long is kept what was sent on behalf of a client, by its code */
  countedHours: 24,
  perMailboxAndDay: 3,
  perClientAndDay: 5,
  /** an IPv6 /48 */
  perNetworkAndDay: 5 * clientLimits.clientsPerNetwork,
  /** unless the operator sets ACKNOWLEDGEMENTS_PER_HOUR */
  perHour: 60,
} as const;

/** When a data-rights request is answered (REQUIREMENTS 5.4; GDPR Article 12(3) sets the outer limit). */
export const dataRightsDeadline = {
  responseDays: 30,
  /** added once in complex cases, with a reason given within `responseDays` */
  extensionDays: 60,
} as const;

/** So long before it ends a person is told that the restriction of their data will end (GDPR Article 18(3)). */
export const restrictionNoticeDays = 7;

/** So long the person behind an answered request can fetch their data through its status link. */
export const packageDays = 7;

/** Nobody younger is addressed by the site (REQUIREMENTS 6.4). */
export const minimumAgeYears = 18;

/** Liability ends at the fees paid in this time before the claim (REQUIREMENTS 6.2). */
export const liabilityCapMonths = 12;

/** Where the General Data Protection Regulation, (EU) 2016/679, says what the policies rely on. */
export const gdprArticles = {
  consent: "6(1)(a)",
  legalObligation: "6(1)(c)",
  legitimateInterests: "6(1)(f)",
  withdrawal: "7(3)",
  deadline: "12(3)",
  identity: "12(6)",
  access: "15",
  rectification: "16",
  erasure: "17",
  restriction: "18",
  portability: "20",
  objection: "21",
  complaint: "77",
  representative: "27",
} as const;

/** What obliges the firm to hear complaints, and gives everybody in the United Kingdom the right to make them. */
export const complaintsLaw = "section\u00a0164A of the UK Data Protection Act 2018";
