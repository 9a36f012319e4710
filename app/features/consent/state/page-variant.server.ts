import { analyzedPaths } from "~/content/site-pages";
import { consentHoldsFor, consentVersion } from "~/content/cookie-registry";
import { type ConsentDecision, type ConsentSource, formatDecision } from "~/lib/consent";
import { resolveClientAddress } from "~/lib/http/client-address";
import { isPrefetch } from "~/lib/http/prefetch";
import { keptQuery } from "~/lib/pages/kept-query";
import { noticeParameter } from "~/lib/pages/notice-parameter";
import type { FindPageVariant, PageChoice, PageRequest } from "~/server/http/cache/page-choice.server";
import type { SiteContext } from "~/server/site-context.server";
import { clearForbiddenCookies } from "../analytics/clear-cookies.server";
import { hashShownText } from "../record/consent-text.server";
import { keepDecision, saveUnsaved } from "../record/decide.server";
import { refuseBySignal } from "../record/signal.server";
import { opensPreferences } from "../ui/preferences-address";
import { type ConsentState, consentSteps, isAnalyticsInUse, readConsentState } from "./consent-state.server";

/** The switches of their dialog show what this visitor has chosen, whether or not it makes a difference to the page. */
const pagesWithDialog = new Set(["/cookie-policy", "/contact", "/data-rights", "/login"]);

/**
 * Finds which of the few variants of a page a request gets: with the banner or without, with the note about a signal, with
 * analytics.
 * @returns from a request to the variant of the page and the cookies that go with it; null where the page depends on more than
 *   that, or where a signal ends a choice: then it is rendered for this request alone
 */
export function createFindVariant(site: SiteContext): FindPageVariant {
  const { settings, cookies } = site;
  const analyticsInUse = isAnalyticsInUse(settings);
  const consent = cookies.name("consentPreference");
  // All there are, made once: most requests are answered by one of them as it is.
  const unasked = withoutCookies("asks", () => ({}));
  const closed = withoutCookies("closed", () => ({ Cookie: `${cookies.name("consentBanner")}=closed` }));
  const asksAgain = {
    text: withoutCookies("asks again: text", () => ({ Cookie: `${consent}=${describe({ version: "0.0" })}` })),
    time: withoutCookies("asks again: time", () => ({
      Cookie: `${consent}=${describe({ analytics: true, ageInSteps: consentSteps + 1 })}`,
    })),
  };
  const chosen = Array.from({ length: 16 * (consentSteps + 1) }, (_, index) => {
    const [analytics, marketing] = [(index & 1) !== 0, (index & 2) !== 0];
    const [bySignal, sendsSignal] = [(index & 4) !== 0, (index & 8) !== 0];
    // In the middle of its step, so that it is still of the same one when the page is rendered.
    const ageInSteps = consentSteps - 0.5 - (index >> 4);
    const source = bySignal ? "signal" : "banner";
    return withoutCookies(`chosen ${index}`, () => ({
      Cookie: `${consent}=${describe({ analytics, marketing, source, underGpc: sendsSignal, ageInSteps })}`,
      ...(sendsSignal ? { "Sec-GPC": "1" } : {}),
    }));
  });

  /** A decision as a cookie holds it, without what no page shows: when exactly it was made, and under which number. */
  function describe({
    analytics = false,
    marketing = false,
    source = "banner" as ConsentSource,
    version = consentVersion,
    underGpc = false,
    ageInSteps = 0,
  }): string {
    return formatDecision({
      analytics,
      marketing,
      source,
      version,
      underGpc,
      decidedAt: new Date(Date.now() - (ageInSteps * consentHoldsFor * 1000) / consentSteps).toISOString(),
      textHash: hashShownText(source, analyticsInUse),
      recordId: source === "signal" ? null : "0".repeat(32),
      isUnsaved: false,
    });
  }

  function findChosen(path: string, state: ConsentState): PageChoice {
    const { allowed } = state;
    const hasDialog = pagesWithDialog.has(path);
    const hasTag = allowed.analytics && analyticsInUse && analyzedPaths.has(path);
    const bySignal = state.signalDecides || state.decision?.source === "signal";
    const index =
      (hasTag || (hasDialog && allowed.analytics) ? 1 : 0) +
      (hasDialog && allowed.marketing ? 2 : 0) +
      (hasDialog && bySignal ? 4 : 0) +
      (state.sendsSignal ? 8 : 0);
    return chosen[index + 16 * (hasTag ? state.stepsLeft : consentSteps)] as PageChoice;
  }

  /** Saves a decision as rendering does (`openConsent`), with the same limit for what a cookie may claim. */
  function save({ headers, peerAddress }: PageRequest, decision: ConsentDecision): Promise<string[]> {
    const client = resolveClientAddress(peerAddress, headers.get("x-forwarded-for"), settings.trustedProxies);
    const maySave = async () => (await site.limits.countPost(client || null, "signal")).allowed;
    return saveUnsaved(site, { headers }, decision, { maySave, maxWaitMs: site.timeouts.consentRecord });
  }

  function findForm(path: string, state: ConsentState): PageChoice {
    if (state.isCurrent || state.signalDecides) return findChosen(path, state);
    if (!state.asks) return closed;
    return state.askedAgain ? asksAgain[state.askedAgain] : unasked;
  }

  return (request: PageRequest) => {
    const { path, query, headers, method } = request;
    if (opensPreferences(query)) return null;
    const noticeBeginning = `${noticeParameter}=`;
    if (query.includes(noticeBeginning) && !keptQuery(path, query).includes(noticeBeginning)) return null;
    const state = readConsentState(site, request);
    const { decision, signalDecides } = state;
    // A record is changed, and a number leaves the browser.
    if (signalDecides && (decision?.recordId || cookies.find(request, "consentSession") !== null)) return null;
    const form = findForm(path, state);
    // A page that nobody may ever look at changes nothing.
    if (isPrefetch(headers.get("sec-purpose"))) return form;
    const cleared = clearForbiddenCookies(site, request, state.allowed);
    const keepsRefusal = signalDecides && method !== "HEAD";
    const setCookies = keepsRefusal ? [...cleared, keepDecision(cookies, refuseBySignal(site))] : cleared;
    const saves = decision?.isUnsaved && !signalDecides && method !== "HEAD";
    if (setCookies.length === 0 && !saves) return form;
    return { variant: form.variant, setCookies, ...(saves && { prepare: () => save(request, decision) }) };
  };
}

function withoutCookies(name: string, headers: () => Record<string, string>): PageChoice {
  return {
    variant: {
      name,
      // Made when the page is: a consent holds for a time.
      get headers() {
        return headers();
      },
    },
    setCookies: [],
  };
}
