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
  networkPeriods,
  retention,
} from "~/content/facts";

/** Values for `{{name}}` in the legal Markdown, by name. */
export type LegalValues = Readonly<Record<string, string>>;

/** Settings that the legal texts depend on. */
export type LegalSettings = Pick<Settings, "backupKeepDays" | "mail" | "asksAboutCookies">;

/**
 * Returns every fact that a site's legal texts may state. The renderer rejects any other name (legal-text.server.ts).
 */
export function listLegalValues(settings: LegalSettings): LegalValues {
  const { backupKeepDays, mail, asksAboutCookies } = settings;
  return {
    ...facts,
    "retention.backups": withUnit(backupKeepDays, "days"),
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
  "retention.contactSubmissions": withUnit(retention.contactSubmissionYears, "years"),
  "retention.consentRecords": withUnit(retention.consentRecordYears, "years"),
  "retention.withdrawnConsents": withUnit(retention.withdrawnConsentDays, "days"),
  "retention.signalRecords": withUnit(retention.signalRecordDays, "days"),
  "retention.dayCounts": withUnit(retention.dayCountMonths, "months"),
  "retention.senderAddresses": withUnit(retention.senderAddressDays, "days"),
  "network.unconfirmed": withUnit(networkPeriods.confirmDays, "days"),
  "network.renewal": withUnit(networkPeriods.renewalMonths, "months"),
  "network.silence": withUnit(networkPeriods.renewalDays, "days"),
  "network.stopped": withUnit(networkPeriods.stoppedDays, "days"),
  "network.declined": withUnit(networkPeriods.declinedMonths, "months"),
  "network.awayMail": withUnit(networkPeriods.awayMailDays, "days"),
  "consent.holds": consentHolds,
  "cleared.analytics": listNames([
    ...clearedCookies.analytics,
    ...clearedCookies.analyticsPrefixes.map((prefix) => `${prefix}*`),
  ]),
  "cleared.marketing": listNames(clearedCookies.marketing),
  "retention.closedRequests": withUnit(retention.closedRequestYears, "years"),
  "retention.statusLinks": withUnit(retention.statusLinkDays, "days"),
  "retention.unconfirmedRequests": withUnit(retention.unconfirmedRequestDays, "days"),
  "retention.mails": withUnit(retention.mailDays, "days"),
  "retention.records": withUnit(retention.recordYears, "years"),
  "retention.analytics": withUnit(retention.analyticsMonths, "months"),
  "retention.analyticsAnonymized": withUnit(retention.analyticsAnonymizedAfterMonths, "months"),
  "dataRights.response": withUnit(dataRightsDeadline.responseDays, "days"),
  "dataRights.extension": withUnit(dataRightsDeadline.extensionDays, "days"),
  "counted.posts": withUnit(clientLimits.windowMinutes, "minutes"),
  "counted.acknowledgements": withUnit(acknowledgementLimits.countedHours, "hours"),
  minimumAge: String(minimumAgeYears),
  liabilityCap: withUnit(liabilityCapMonths, "months"),
  "storage.scrollPositions": sessionStorageEntries.scrollPositions,
  "storage.pageVersion": sessionStorageEntries.pageVersion,
  ...Object.fromEntries(
    Object.entries(gdprArticles).map(([rule, number]) => [`gdpr.${rule}`, `Article\u00a0${number}`]),
  ),
};

function listNames(names: readonly string[]): string {
  return names.join(", ");
}

/** Joins a number and its unit with a no-break space, so that no line break separates them. */
function withUnit(amount: number, unit: string): string {
  return `${amount}\u00a0${unit}`;
}
