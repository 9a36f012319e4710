import { consentVersion } from "~/content/facts";
import { type Choice, type ConsentSource, asksNotToBeTracked, formatDecision } from "~/lib/consent";
import { isPrefetch } from "~/lib/http/prefetch";
import type { FindPageVariant, PageChoice, PageRequest } from "~/server/http/cache/page-choice.server";
import type { SiteContext } from "~/server/site-context.server";
import { clearForbiddenCookies } from "../analytics/clear-cookies.server";
import { opensPreferences } from "../ui/preferences-address";
import { readConsentState } from "./consent-state.server";

/** The switches of their dialog show what this visitor has chosen, whether or not it makes a difference to the page. */
const pagesWithDialog = new Set(["/cookie-policy", "/contact", "/data-rights", "/login"]);

const nothing: Choice = { analytics: false, marketing: false };

/**
 * Which of the few forms of a page a request gets: with the banner or without, with the note about a signal, with
 * analytics.
 * @returns from a request to the form of the page and the cookies that are cleared with it; null where the page depends on
 *   more than that, or where something must be done on the way: then it is rendered for this request alone
 */
export function createFindVariant({ settings, cookies }: SiteContext): FindPageVariant {
  // All there are, made once: most requests are answered by one of them as it is.
  const unasked = withoutCookies("asks", null);
  const closed = withoutCookies("closed", `${cookies.name("consentBanner")}=closed`);
  const consent = cookies.name("consentPreference");
  const choseBefore = withoutCookies("asks again", `${consent}=${describe(nothing, "banner", "0.0")}`);
  const chosen = Array.from({ length: 8 }, (_, bits) => {
    const [analytics, marketing, bySignal] = [(bits & 1) !== 0, (bits & 2) !== 0, (bits & 4) !== 0];
    const decision = describe({ analytics, marketing }, bySignal ? "signal" : "banner", consentVersion);
    return withoutCookies(`chosen ${bits}`, `${consent}=${decision}`);
  });

  const findChosen = (path: string, allowed: Choice, bySignal: boolean) => {
    const { analytics, marketing } =
      settings.gaMeasurementId === undefined && !pagesWithDialog.has(path) ? nothing : allowed;
    return chosen[Number(analytics) + 2 * Number(marketing) + 4 * Number(bySignal)] as PageChoice;
  };

  const findUnchosen = (asks: boolean, hasChosenBefore: boolean) => {
    if (!asks) return closed;
    return hasChosenBefore ? choseBefore : unasked;
  };

  return (request: PageRequest) => {
    const { path, query, headers } = request;
    if (opensPreferences(query)) return null;
    const sent = headers.get("cookie");
    if (sent === null) return asksNotToBeTracked(headers) ? null : unasked;
    if (sent.includes(`${cookies.name("flash")}=`)) return null;
    const { decision, isCurrent, signalDecides, asks, allowed } = readConsentState(cookies, { headers });
    if (signalDecides || (decision && decision.unsavedTextHash !== null)) return null;
    const choice =
      decision && isCurrent
        ? findChosen(path, allowed, decision.source === "signal")
        : findUnchosen(asks, decision !== null);
    // A page that nobody may ever look at changes nothing.
    if (isPrefetch(headers.get("sec-purpose"))) return choice;
    const setCookies = clearForbiddenCookies(settings, request, allowed);
    return setCookies.length === 0 ? choice : { ...choice, setCookies };
  };
}

/** A decision as a cookie holds it, without what no page shows: when it was made, and under which number. */
function describe(choice: Choice, source: ConsentSource, version: string): string {
  const decidedAt = "2000-01-01T00:00:00.000Z";
  return formatDecision({ ...choice, version, source, decidedAt, recordId: "0".repeat(32), unsavedTextHash: null });
}

function withoutCookies(name: string, cookie: string | null): PageChoice {
  return { variant: { name, cookie }, setCookies: [] };
}
