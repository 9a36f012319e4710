import { clientLimits, retention } from "~/content/facts";
import type { Settings } from "~/server/config/settings.server";
import { firmMustAnswer } from "./firm-must-answer.server";

/** One page for GDPR Article 6(1)(f): what the program does stands there; the judgment is the firm's. */
export function describeLegitimateInterests({ postRateLimit, isHttps }: Settings) {
  return {
    interests: [
      "Delivering the website, and keeping it secure (recital 49 GDPR).",
      "Knowing which pages are read, as sums of a day.",
      "Recognizing abuse of forms.",
      "Defending legal claims.",
      "Letting staff, and nobody else, sign in.",
    ],
    whatIsProcessedForThem: [
      "What every browser sends, while it is answered; the log names no visitor.",
      `Which page was viewed, and from which site or campaign its visitor came: added to sums, which are kept for ${retention.dayCountMonths} months.`,
      `The IP address of a message’s sender, for ${retention.senderAddressDays} days.`,
      `Codes of IP addresses, for limits within ${clientLimits.windowMinutes} minutes and 24 hours (${postRateLimit === 0 ? "limits of forms are off" : `${postRateLimit} forms`}).`,
      "Address, password hash, sessions and actions of staff.",
    ],
    whatSparesPeople: [
      "No profile, no advertising, no other company’s script for this purpose, no decision with legal effects.",
      "Codes instead of addresses wherever something is only counted.",
      isHttps ? "The connection is encrypted." : "SITE_URL is not https yet: the connection is not encrypted.",
      "Everybody may object, by the form on /data-rights.",
    ],
    judgmentOfTheFirm: {
      isTheInterestLegitimateAndPresent: firmMustAnswer,
      isTheProcessingNecessaryForIt: firmMustAnswer,
      doPeopleExpectIt: firmMustAnswer,
      doTheirInterestsPrevail: firmMustAnswer,
      outcome: firmMustAnswer,
      whoDecidedAndWhen: firmMustAnswer,
    },
  };
}
