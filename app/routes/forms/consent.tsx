import { parseWithZod } from "@conform-to/zod/v4";
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
import type { SiteContext } from "~/server/site-context.server";

/**
 * Checks after a choice in the banner that the browser sends the choice back. If it does, 204 leaves the page as it is. If not, the page
 * loads again and says so. Without a notice in the address, this page does not exist.
 */
export function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  const notice = site.notices.find(request.url);
  if (notice === null) throw new Response(null, { status: 404, statusText: "Not Found" });
  const { asks, decision } = readConsentState(site, request);
  const isKept = notice.key === "bannerClosed" ? !asks : decision !== null && decision.source !== "signal";
  const init = { headers: { "Cache-Control": "no-store" } };
  if (isKept) return data(null, { status: 204, ...init });
  const page = findReturnPage(site, request, new URL(request.url).searchParams.get("page") ?? "/");
  return redirect(site.notices.addTo(page, notice.key), { status: 303, ...init });
}

/** Takes what a visitor says about cookies, on whatever page they say it, and leads them back there. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form, rate } = await guardPost(request, context);
  const submission = parseWithZod(form, { schema: consentSchema });
  if (submission.status !== "success") throw new Response(null, { status: 400, statusText: "Bad Request" });
  const { setCookies, allowed, message } = await answer(site, request, submission.value, rate.allowed);
  const answerHeaders = new Headers({
    "Cache-Control": "no-store",
    // Pages that were fetched ahead, or that Back would show from memory, would ask again.
    "Clear-Site-Data": '"prefetchCache", "cache"',
  });
  for (const value of [...setCookies, ...clearForbiddenCookies(site, toRequestedPage(request), allowed)])
    answerHeaders.append("Set-Cookie", value);
  const init = { headers: answerHeaders };
  const { page, source, answer: wanted } = submission.value;
  if (wanted === "data") return data({ isKept: true }, init);
  // An error needs a page that shows it, and a dialog needs a new page to close.
  const isTaken = message === "choiceSaved" || message === "bannerClosed";
  if (source === "banner" && isTaken && canStayOnPage(request)) {
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

/** With scripts, a lost connection must not replace the page and with it everything that was typed. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return fallbackOnNetworkError(serverAction<typeof action>(), { isKept: false });
}

/** With a page of its own, the missing address shows the not-found page and not bare data. */
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

async function answer(site: SiteContext, request: Request, form: ConsentForm, maySave: boolean): Promise<Outcome> {
  const { allowed, decision, asks } = readConsentState(site, request);
  // Only what answers the question; whoever changes a choice later has been asked no more.
  const count = (name: string) => asks && site.counts.add("banner", name);
  if (form.choice === "erase") return erase(site, decision?.recordId ?? null, { allowed, maySave });
  if (form.choice === "close") {
    count("close");
    return { setCookies: [site.cookies.serialize("consentBanner", "closed")], allowed, message: "bannerClosed" };
  }
  const choice = form.choice === "save" ? form : choices[form.choice];
  const allowsSomething = choice.analytics || choice.marketing;
  const { source, text } = form;
  // Nobody agrees to words that they have not seen; to refuse, no words are needed.
  if (allowsSomething && text !== nameShownText(source, isAnalyticsInUse(site.settings))) {
    return { setCookies: [], allowed, message: "consentTextChanged" };
  }
  const { analytics, marketing } = choice;
  count(form.choice === "save" ? "customize" : form.choice);
  const setCookies = await decide(site, request, { analytics, marketing }, source, maySave);
  return { setCookies, allowed: choice, message: "choiceSaved" };
}

/** Deletes the record of whoever holds its number, and with it the choice that it would prove. */
async function erase(
  site: SiteContext,
  number: string | null,
  { allowed, maySave }: { allowed: Choice; maySave: boolean },
): Promise<Outcome> {
  const { cookies } = site;
  const isErased = number !== null && maySave && (await eraseOwnRecord(site, number));
  if (!isErased) return { setCookies: [], allowed, message: "consentNotErased" };
  const removals = (["consentPreference", "consentSession"] as const).map((key) => cookies.remove(key));
  return { setCookies: removals, allowed: choices.reject, message: "consentErased" };
}
