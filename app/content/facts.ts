/** Retention of personal data (REQUIREMENTS 10). */
export const retention = {
  contactSubmissionYears: 2,
  /** maximum; withdrawing consent ends it sooner */
  consentRecordYears: 2,
  /** after the withdrawal, so that it can be proven */
  withdrawnConsentDays: 30,
  /** records of browser signals, which hold no user agent, and an id that was never disclosed */
  signalRecordDays: 30,
  /** IP address of a message's sender */
  senderAddressDays: 30,
  /** after closing */
  closedRequestYears: 3,
  /** after the request was closed; the status link works until then */
  statusLinkDays: 90,
  /** after the due date */
  unconfirmedRequestDays: 30,
  /** after delivery */
  mailDays: 30,
  /** events of an admin's account */
  accountEventDays: 30,
  /** daily sums of page views, which identify no visitor */
  dayCountMonths: 13,
  /** a link with which the firm marks a message as answered, after the answer */
  answeredLinkDays: 30,
  /** delivery of an email is retried for this long */
  mailAttemptDays: 5,
  /** proof that all of this was done, which identifies no visitor */
  recordYears: 3,
  analyticsMonths: 26,
  analyticsAnonymizedAfterMonths: 14,
} as const;

/** Retention and deadlines of the investor network. */
export const networkPeriods = {
  /** an unconfirmed request to join, and its link */
  confirmDays: 7,
  /** after the last confirmation, a member is asked to stay */
  renewalMonths: 24,
  /** a member who does not say so is deleted after this */
  renewalDays: 60,
  /** after the decision not to admit someone */
  declinedMonths: 24,
  /** after a member stopped all mail; until then they can take it back */
  stoppedDays: 7,
  /** a link to a member's page */
  pageLinkDays: 30,
  /** one mail in this time to a member who stopped mail or whose mailbox refuses it, and asks for their link */
  awayMailDays: 30,
  /** a link in a letter, after the operator changed the key of all links */
  endedKeyDays: 60,
} as const;

/** Rate limits per client. They stop abuse only and never affect a visitor in a hurry. */
export const clientLimits = {
  /** window for counting posts and visits of links */
  windowMinutes: 10,
  /** visits of secret links in that window; the limit for posts is a setting */
  linkVisits: 30,
  /** an IPv6 /48 gets the combined limit of this many clients */
  clientsPerNetwork: 4,
} as const;

/**
 * Limits on the emails that forms cause, so that nobody can flood another person's mailbox through them. They apply
 * separately to messages, data rights requests and links of the investor network. The database enforces them (migration
 * "mail"; a test compares).
 */
export const acknowledgementLimits = {
  /** emails are counted by the client's code for this long */
  countedHours: 24,
  perMailboxAndDay: 3,
  /** acknowledgements of messages */
  perClientAndDay: 5,
  /** the same, for an IPv6 /48 */
  perNetworkAndDay: 5 * clientLimits.clientsPerNetwork,
  /** default of the setting ACKNOWLEDGEMENTS_PER_HOUR */
  perHour: 60,
  /** confirmations and links that wait for the hourly limit, in all and for one client network */
  waiting: 200,
  waitingPerNetwork: 5,
} as const;

/** Deadlines of a data rights request (REQUIREMENTS 5.4; GDPR Article 12(3) sets the outer limit). */
export const dataRightsDeadline = {
  responseDays: 30,
  /** added once in complex cases, with a reason given within `responseDays` */
  extensionDays: 60,
} as const;

/** Minutes after which a person may send the same request again to get its mail anew. */
export const requestMailMinutes = 10;

/** Days between the announcement that a restriction ends and its end (GDPR Article 18(3)). */
export const restrictionNoticeDays = 7;

/** Days during which a data subject can fetch their data through the status link of a completed request. */
export const packageDays = 7;

/** The site is not meant for anyone younger (REQUIREMENTS 6.4). */
export const minimumAgeYears = 18;

/** Liability is capped at the fees paid in this many months before the claim (REQUIREMENTS 6.2). */
export const liabilityCapMonths = 12;

/** Articles of the General Data Protection Regulation, (EU) 2016/679, that the policies refer to. */
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

/** The law that obliges the firm to handle complaints and entitles people in the United Kingdom to make them. */
export const complaintsLaw = "section\u00a0164A of the UK Data Protection Act 2018";
