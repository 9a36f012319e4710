import { expect, it } from "vitest";
import { analyticsCookiesLive, consentHoldsFor, consentVersion, cookies } from "~/content/cookie-registry";
import { type ConsentDecision, formatDecision } from "~/lib/consent";
import { parseSettings } from "~/server/config/settings.server";
import { createCookies } from "~/server/cookies/cookies.server";
import { hashShownText } from "../record/consent-text.server";
import { readConsentState } from "./consent-state.server";

const minute = 60;
const lastMonth = consentHoldsFor - analyticsCookiesLive;
const gpc = { "Sec-GPC": "1" };
const dnt = { DNT: "1" };
const closed = { closed: "1" };

/** A consent to analytics that is `age` seconds old. */
function decide(age = 0, changes: Partial<ConsentDecision> = {}): ConsentDecision {
  return {
    version: consentVersion,
    analytics: true,
    marketing: false,
    source: "banner",
    decidedAt: new Date(Date.now() - age * 1000).toISOString(),
    textHash: hashShownText("banner", true),
    underGpc: false,
    recordId: "r".repeat(32),
    isUnsaved: false,
    ...changes,
  };
}

const refused = { analytics: false };
const otherText = { textHash: hashShownText("banner", false) };
const olderVersion = { version: "0.1" };

/** The words that hold of a state: current, signal (decides), asks, why it asks again, allowed categories, measures. */
function summarize(decision: ConsentDecision | null, headers: Record<string, string>, environment = {}): string {
  const { closed: isClosed, ...sent } = headers;
  const settings = parseSettings({ GA_MEASUREMENT_ID: "G-TEST", ...environment });
  const pairs = [
    ...(decision === null ? [] : [`${cookies.consentPreference.name}=${formatDecision(decision)}`]),
    ...(isClosed === undefined ? [] : [`${cookies.consentBanner.name}=${isClosed}`]),
  ];
  const request = { headers: new Headers({ ...sent, Cookie: pairs.join("; ") }) };
  const state = readConsentState({ settings, cookies: createCookies(settings) }, request);
  return [
    state.isCurrent && "current",
    state.signalDecides && "signal",
    state.asks && "asks",
    state.askedAgain,
    state.allowed.analytics && "analytics",
    state.allowed.marketing && "marketing",
    state.measures && "measures",
  ]
    .filter(Boolean)
    .join(" ");
}

it.each<[string, ConsentDecision | null, Record<string, string>, string]>([
  ["a first visit", null, {}, "asks"],
  ["a first visit that closed the banner", null, closed, ""],
  ["a first visit with GPC", null, gpc, "signal"],
  ["a first visit with DNT", null, dnt, "signal"],
  ["consent", decide(), {}, "current analytics measures"],
  ["consent to marketing", decide(0, { marketing: true, analytics: false }), {}, "current marketing"],
  ["consent dated in the future", decide(-86_400), {}, "current analytics measures"],
  ["consent just before the last month", decide(lastMonth - minute), {}, "current analytics measures"],
  ["consent in the last month", decide(lastMonth + minute), {}, "current analytics"],
  ["consent just before its end", decide(consentHoldsFor - minute), {}, "current analytics"],
  ["consent at its end", decide(consentHoldsFor), {}, "asks time"],
  ["expired consent with a closed banner", decide(consentHoldsFor), closed, ""],
  ["consent to another text", decide(0, otherText), {}, "asks text"],
  ["consent to an older version", decide(0, olderVersion), {}, "asks text"],
  ["consent before GPC", decide(), gpc, "signal"],
  ["consent under GPC", decide(0, { underGpc: true }), gpc, "current analytics measures"],
  ["consent with DNT", decide(), dnt, "current analytics measures"],
  ["a refusal", decide(0, refused), {}, "current"],
  ["a refusal with GPC", decide(0, refused), gpc, "current"],
  ["a refusal of any age", decide(2 * consentHoldsFor, refused), {}, "current"],
  ["a refusal of another text", decide(0, { ...refused, ...otherText }), {}, "current"],
  ["a refusal of an older version", decide(0, { ...refused, ...olderVersion }), {}, "asks text"],
])("reads the state of %s", (_case, decision, headers, expected) => {
  expect(summarize(decision, headers)).toBe(expected);
});

it.each([
  ["a first visit", null, "", ""],
  ["consent to analytics that is no longer in use", decide(), "", ""],
  ["a refusal", decide(0, refused), "", "current"],
])("asks with CONSENT_BANNER=when-needed only if analytics is in use: %s", (_case, decision, property, expected) => {
  expect(summarize(decision, {}, { GA_MEASUREMENT_ID: property, CONSENT_BANNER: "when-needed" })).toBe(expected);
});
