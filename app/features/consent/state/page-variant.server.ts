import { clearedCookies, consentVersion } from "~/content/facts";
import { asksNotToBeTracked, formatDecision } from "~/lib/consent";
import type { HeaderReader } from "~/lib/http/header-reader";
import type { FindPageVariant, PageVariant } from "~/server/http/cache/page-cache.server";
import type { SiteContext } from "~/server/site-context.server";
import { readConsentState } from "./consent-state.server";

/** The page as everybody sees it who has said nothing about cookies. */
const unasked: PageVariant = { name: "asks", cookie: null };

/** Their dialog shows when and how this very visitor chose. */
const pagesWithDialog = new Set(["/cookie-policy", "/contact", "/data-rights", "/login"]);

/**
 * Which of the few forms of a content page a request gets: with the banner or without, with the note about a signal, with
 * analytics.
 * @returns from a page's path and a request's headers to the variant, null where the page depends on more than that, or where something must be done or set on the way: then it is
 *   rendered for this request alone
 */
export function createFindVariant({ settings, cookies }: SiteContext): FindPageVariant {
  return (path: string, headers: HeaderReader): PageVariant | null => {
    const sent = headers.get("cookie");
    if (sent === null) return asksNotToBeTracked(headers) ? null : unasked;
    if (sent.includes(`${cookies.name("flash")}=`) || mayNeedClearing.test(sent)) return null;
    const state = readConsentState(cookies, { headers });
    const { decision, isCurrent, signalDecides, allowed } = state;
    if (signalDecides || (decision && (!isCurrent || decision.unsavedTextHash !== null))) return null;
    if (!decision) return state.asks ? unasked : { name: "closed", cookie: `${cookies.name("consentBanner")}=closed` };
    if (pagesWithDialog.has(path)) return null;
    const shown = settings.gaMeasurementId === undefined ? { analytics: false, marketing: false } : allowed;
    const isSignal = decision.source === "signal";
    return {
      name: `chosen ${Number(shown.analytics)}${Number(shown.marketing)}${Number(isSignal)}`,
      cookie: `${cookies.name("consentPreference")}=${formatDecision({
        ...shown,
        version: consentVersion,
        source: isSignal ? "signal" : "banner",
        // No variant of their own: what these pages show of a choice does not depend on these two.
        decidedAt: "2000-01-01T00:00:00.000Z",
        recordId: "0".repeat(32),
        unsavedTextHash: null,
      })}`,
    };
  };
}

/** A cookie that may have to be removed is looked at by the page itself. */
const mayNeedClearing = new RegExp(
  `(?:^|; ?)(?:${[...clearedCookies.analytics, ...clearedCookies.analyticsPrefixes, ...clearedCookies.marketing].join("|")})`,
);
