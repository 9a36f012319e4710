import { company, replyPromise } from "~/content/company";
import { durationInWords } from "~/lib/duration-in-words";
import { askingWords, mailToUsWords } from "~/content/privacy/legal-words";
import type { Settings } from "~/server/config/settings.server";
import { clearedCookies, consentHoldsFor, sessionStorageEntries } from "~/content/cookie-registry";
import {
  acknowledgementLimits,
  clientLimits,
  dataRightsDeadline,
  gdprArticles,
  liabilityCapMonths,
  minimumAgeYears,
  retention,
} from "~/content/facts";

/** What `{{name}}` in the legal Markdown stands for, by name. */
export type LegalValues = Readonly<Record<string, string>>;

/** What an operator's settings decide of the legal texts. */
export type LegalSettings = Pick<Settings, "backupKeepDays" | "mail" | "asksAboutCookies">;

/** Every fact that the legal texts of a site may state. A text that names any other is refused (legal-text.server.ts). */
export function listLegalValues(settings: LegalSettings): LegalValues {
  const { backupKeepDays, mail, asksAboutCookies } = settings;
  return {
    ...facts,
    "retention.backups": together(backupKeepDays, "days"),
    mailToUs: mailToUsWords[mail.content],
    "consent.asking": asksAboutCookies ? askingWords.asks(consentHolds) : askingWords.asksNot,
  };
}

const consentHolds = durationInWords(consentHoldsFor).replace(" ", "\u00a0");

const facts: LegalValues = {
  "company.name": company.name,
  "company.email": company.email,
  "company.address": company.address,
  "company.jurisdiction": company.jurisdiction,
  "company.arbitrationBody": company.arbitrationBody,
  replyWithin: replyPromise.replace(" ", "\u00a0"),
  "retention.contactSubmissions": together(retention.contactSubmissionYears, "years"),
  "retention.consentRecords": together(retention.consentRecordYears, "years"),
  "retention.withdrawnConsents": together(retention.withdrawnConsentDays, "days"),
  "retention.signalRecords": together(retention.signalRecordDays, "days"),
  "retention.dayCounts": together(retention.dayCountMonths, "months"),
  "retention.senderAddresses": together(retention.senderAddressDays, "days"),
  "consent.holds": consentHolds,
  "cleared.analytics": listNames([
    ...clearedCookies.analytics,
    ...clearedCookies.analyticsPrefixes.map((prefix) => `${prefix}*`),
  ]),
  "cleared.marketing": listNames(clearedCookies.marketing),
  "retention.closedRequests": together(retention.closedRequestYears, "years"),
  "retention.statusLinks": together(retention.statusLinkDays, "days"),
  "retention.unconfirmedRequests": together(retention.unconfirmedRequestDays, "days"),
  "retention.mails": together(retention.mailDays, "days"),
  "retention.records": together(retention.recordYears, "years"),
  "retention.analytics": together(retention.analyticsMonths, "months"),
  "retention.analyticsAnonymized": together(retention.analyticsAnonymizedAfterMonths, "months"),
  "dataRights.response": together(dataRightsDeadline.responseDays, "days"),
  "dataRights.extension": together(dataRightsDeadline.extensionDays, "days"),
  "counted.posts": together(clientLimits.windowMinutes, "minutes"),
  "counted.acknowledgements": together(acknowledgementLimits.countedHours, "hours"),
  minimumAge: String(minimumAgeYears),
  liabilityCap: together(liabilityCapMonths, "months"),
  "storage.scrollPositions": sessionStorageEntries.scrollPositions,
  "storage.pageVersion": sessionStorageEntries.pageVersion,
  ...Object.fromEntries(
    Object.entries(gdprArticles).map(([rule, number]) => [`gdpr.${rule}`, `Article\u00a0${number}`]),
  ),
};

function listNames(names: readonly string[]): string {
  return names.join(", ");
}

/** A number never stands at the end of a line with its unit on the next. */
function together(amount: number, unit: string): string {
  return `${amount}\u00a0${unit}`;
}
