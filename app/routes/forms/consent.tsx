import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import { clearForbiddenCookies, toRequestedPage } from "~/features/consent/analytics/clear-cookies.server";
import { type ConsentForm, consentSchema } from "~/features/consent/record/consent.schema";
import { isAnalyticsInUse, readConsentState } from "~/features/consent/state/consent-state.server";
import { nameShownText } from "~/features/consent/record/consent-text.server";
import { decide } from "~/features/consent/record/decide.server";
import { eraseOwnRecord } from "~/features/consent/record/own-record.server";
import { preferencesParameter } from "~/features/consent/ui/preferences-address";
import { canStayOnPage } from "~/features/consent/ui/stay-on-page.server";
import type { MessageKey } from "~/content/messages";
import { fallbackOnNetworkError } from "~/lib/pages/fallback-on-network-error";
import { noticeParameter } from "~/lib/pages/notice-parameter";
import { passHeaders } from "~/lib/pages/route-headers";
import { resolveReturnPage } from "~/lib/http/return-page";
import type { Choice } from "~/lib/consent";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { parseForm } from "~/server/forms/parse-form.server";
import type { SiteContext } from "~/server/site-context.server";

/**
 * Checks after a choice in the banner that the browser sends the cookie back. If it does, 204 leaves the page as it is.
 * If not, the page reloads and says so. Without a notice in the address, this page does not exist.
 */
export function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  const notice = site.notices.findFor(request);
  if (notice === null) throw new Response(null, { status: 404, statusText: "Not Found" });
  const { asks, decision } = readConsentState(site, request);
  const isKept = notice.key === "bannerClosed" ? !asks : decision !== null && decision.source !== "signal";
  const init = { headers: { "Cache-Control": "no-store" } };
  if (isKept) return data(null, { status: 204, ...init });
  const page = findReturnPage(site, request, new URL(request.url).searchParams.get("page") ?? "/");
  return redirect(site.notices.addTo(page, notice.key), { status: 303, ...init });
}

/** Handles every form about cookies and redirects back to the page that showed it. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form, rate } = await guardPost(request, context);
  const submission = parseForm(form, consentSchema);
  if (submission.status !== "success") throw new Response(null, { status: 400, statusText: "Bad Request" });
  const { setCookies, allowed, message } = await handleChoice(site, request, submission.value, rate.allowed);
  const responseHeaders = new Headers({
    "Cache-Control": "no-store",
    // Prefetched pages, and pages that Back shows from the cache, would show the banner again.
    "Clear-Site-Data": '"prefetchCache", "cache"',
  });
  for (const value of [...setCookies, ...clearForbiddenCookies(site, toRequestedPage(request), allowed)])
    responseHeaders.append("Set-Cookie", value);
  const init = { headers: responseHeaders };
  const { page, source, answer } = submission.value;
  if (answer === "data") return data({ isKept: true }, init);
  // An error needs a page that shows it, and a dialog closes only with a new page.
  const isAccepted = message === "choiceSaved" || message === "bannerClosed";
  if (source === "banner" && isAccepted && canStayOnPage(request)) {
    const check = `/consent?page=${encodeURIComponent(findReturnPage(site, request, page))}`;
    return redirect(site.notices.addTo(check, message), { status: 303, ...init });
  }
  return redirect(site.notices.addTo(findReturnPage(site, request, page), message), { status: 303, ...init });
}

function findReturnPage(
  { settings: { siteUrl, siteUrlIsExplicit } }: SiteContext,
  request: Request,
  page: string,
): string {
  const origin = siteUrlIsExplicit ? siteUrl : new URL(request.url).origin;
  return resolveReturnPage(page, origin, [preferencesParameter, noticeParameter]);
}

export const headers = passHeaders;

/** Keeps the page and its input if the connection fails while scripts run. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return fallbackOnNetworkError(serverAction<typeof action>(), { isKept: false });
}

/** Makes this a page route: a resource route would show bare data instead of the not-found page. */
export default function ConsentPage() {
  return null;
}

const choices: Record<"accept" | "reject", Choice> = {
  accept: { analytics: true, marketing: true },
  reject: { analytics: false, marketing: false },
};

interface Outcome {
  setCookies: string[];
  allowed: Choice;
  message: MessageKey;
}

async function handleChoice(
  site: SiteContext,
  request: Request,
  form: ConsentForm,
  maySave: boolean,
): Promise<Outcome> {
  const { allowed, decision, asks } = readConsentState(site, request);
  // Counts only decisions made while the banner is shown, not later changes.
  const count = (name: string) => asks && site.counts.add("banner", name);
  if (form.choice === "erase") return erase(site, decision?.recordId ?? null, { allowed, maySave });
  if (form.choice === "close") {
    count("close");
    return { setCookies: [site.cookies.serialize("consentBanner", "closed")], allowed, message: "bannerClosed" };
  }
  const choice = form.choice === "save" ? form : choices[form.choice];
  const allowsSomething = choice.analytics || choice.marketing;
  const { source, text } = form;
  // Consent needs the text that the visitor saw; a refusal needs none.
  if (allowsSomething && text !== nameShownText(source, isAnalyticsInUse(site.settings))) {
    return { setCookies: [], allowed, message: "consentTextChanged" };
  }
  const { analytics, marketing } = choice;
  count(form.choice === "save" ? "customize" : form.choice);
  const setCookies = await decide(site, request, { analytics, marketing }, source, maySave);
  return { setCookies, allowed: choice, message: "choiceSaved" };
}

/** Deletes the visitor's consent record, and with it the decision that the record would prove. */
async function erase(
  site: SiteContext,
  recordId: string | null,
  { allowed, maySave }: { allowed: Choice; maySave: boolean },
): Promise<Outcome> {
  const { cookies } = site;
  const isErased = recordId !== null && maySave && (await eraseOwnRecord(site, recordId));
  if (!isErased) return { setCookies: [], allowed, message: "consentNotErased" };
  const removals = (["consentPreference", "consentSession"] as const).map((key) => cookies.remove(key));
  return { setCookies: removals, allowed: choices.reject, message: "consentErased" };
}
