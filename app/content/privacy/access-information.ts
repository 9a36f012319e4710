import { company } from "../company";
import { dataRightsDeadline, gdprArticles, networkPeriods, retention } from "../facts";

/** Features of a site that determine its recipients. */
export interface SiteRecipients {
  /** the database is a project at Supabase */
  isHosted: boolean;
  /** a mail server is set; without one emails stay in files beside the database */
  sendsMail: boolean;
  /** backups are copied to a storage service, encrypted */
  copiesBackups: boolean;
  /** Google Analytics is set up */
  hasAnalytics: boolean;
}

/**
 * Returns the information that GDPR Article 15(1) and (2) require with a person's data, true for this site: a list for
 * each letter.
 */
export function accessInformation({ isHosted, sendsMail, copiesBackups, hasAnalytics }: SiteRecipients) {
  const { responseDays, extensionDays } = dataRightsDeadline;
  return {
    purposes: [
      "To answer messages, and to prepare a conversation or a proposal that was asked for.",
      "To keep the investor network, and to write to its members, if you joined it.",
      "To send acknowledgements, and to limit how many are sent to one address.",
      "To answer requests about these rights, and to be able to show that we did.",
      "To meet duties that the law lays on us, and to defend legal claims.",
    ],
    categories: [
      "Messages from the contact form, with our replies, drafts of them, and what we note beside them.",
      "Your place in the investor network, with what you told us for it and its history.",
      "Requests about data rights, with their history.",
      "Emails that the website sent or is going to send.",
      "Proof of earlier erasures under this address, if there were any.",
      "Records of choices about cookies are kept under a random number, not under an address: we cannot tell whose they are.",
    ],
    recipients: [
      `${company.name}: the people who answer.`,
      isHosted
        ? "Supabase, which runs the database for us, and the provider of the computers on which the website runs."
        : "The provider of the computers on which the website and its database run.",
      ...(sendsMail ? ["Email providers, which carry messages to us and our emails to you."] : []),
      ...(copiesBackups
        ? ["A provider of storage, which keeps encrypted copies of our backups and has no key to them."]
        : []),
      ...(hasAnalytics
        ? ["Google, where you allowed analytics: what your browser sends by itself, not your messages or requests."]
        : []),
      "Professional advisors bound to secrecy, and authorities and courts, where it was necessary. Ask us whether that was so.",
    ],
    periods: [
      `Messages: ${retention.contactSubmissionYears} years.`,
      `The investor network: until you leave; unconfirmed, ${networkPeriods.confirmDays} days; after you stop our emails, ${networkPeriods.stoppedDays} days; without an answer when we ask again after ${networkPeriods.renewalMonths} months, ${networkPeriods.renewalDays} days; after we declined, ${networkPeriods.declinedMonths} months.`,
      `Requests about data rights: ${retention.closedRequestYears} years after they were closed; unconfirmed ones ${retention.unconfirmedRequestDays} days after their answer was due.`,
      `Emails: ${retention.mailDays} days after they were delivered.`,
      `Proof of erasures, of leaving the network, and of what our staff did: ${retention.recordYears} years.`,
      "What is restricted, or was asked for in a request that is open, is kept until that is settled.",
    ],
    rights: [
      `You can ask us to correct the data (Article ${gdprArticles.rectification} GDPR), to erase it (${gdprArticles.erasure}) or to restrict its use (${gdprArticles.restriction}), you can object to its use (${gdprArticles.objection}), and take along what you gave us (${gdprArticles.portability}).`,
      `You can withdraw your consent at any time (${gdprArticles.withdrawal}).`,
      `We answer within ${responseDays} days; in complex cases we may take ${extensionDays} more and then tell you why.`,
    ],
    complaint: [
      `You can complain to us at ${company.email}, and to a data protection authority, in particular where you live or work (Article ${gdprArticles.complaint} GDPR).`,
    ],
    source: [
      "Everything here came from forms of our website that were sent with this email address, reached us from the person by letter, phone or email, or was written by us.",
    ],
    automated_decisions: [
      "No decision with legal or similarly serious effects is made by a machine alone, and no profile is made.",
    ],
    transfers: [
      `Where a recipient is outside the European Economic Area or the United Kingdom, we rely on a decision that the country protects data adequately, or on standard contractual clauses. Write to ${company.email} to see a copy.`,
    ],
  };
}
