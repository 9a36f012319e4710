import { analyticsCookiesLive } from "~/content/cookie-registry";
import { analyzedPaths } from "~/content/site-pages";
import { hashOf } from "~/server/document/inline-scripts.server";
import type { Settings } from "~/server/config/settings.server";
import type { ConsentView } from "../state/consent-view.server";

/** What a page carries for a visitor who has allowed analytics, and what its policy must allow for it. */
export interface AnalyticsTag {
  /** goes to the end of `<head>` */
  html: string;
  /** base64 SHA-256 of the script within the page */
  scriptHash: string;
}

/**
 * Google's tag with Consent Mode v2: everything denied by default, then analytics alone granted. Marketing changes nothing here:
 * the site has no advertising, so Google is never allowed to use for it what it learns.
 * @returns null when the operator has set no property, the visitor is not to be measured, or the page is none that is analyzed
 */
export function findAnalyticsTag(
  { gaMeasurementId }: Pick<Settings, "gaMeasurementId">,
  pathname: string,
  { measures }: Pick<ConsentView, "measures">,
): AnalyticsTag | null {
  if (gaMeasurementId === undefined || !measures || !analyzedPaths.has(pathname)) return null;
  const script = writeScript(gaMeasurementId);
  return {
    html:
      `<script>${script}</script>` +
      `<script async src="https://www.googletagmanager.com/gtag/js?id=${gaMeasurementId}"></script>`,
    scriptHash: hashOf(script),
  };
}

function writeScript(measurementId: string): string {
  const advertising = { ad_storage: "denied", ad_user_data: "denied", ad_personalization: "denied" };
  const options = {
    cookie_expires: analyticsCookiesLive,
    allow_google_signals: false,
    allow_ad_personalization_signals: false,
  };
  // Addresses go without their query, which may hold what is between us and the visitor. That a page of ours led here is told
  // without its address, because it may be one that is not analyzed.
  return [
    "window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}",
    `gtag("consent","default",${JSON.stringify({ ...advertising, analytics_storage: "denied" })});`,
    `gtag("consent","update",${JSON.stringify({ ...advertising, analytics_storage: "granted" })});`,
    'gtag("js",new Date());',
    `gtag("config",${JSON.stringify(measurementId)},Object.assign(${JSON.stringify(options)},`,
    "{page_location:location.origin+location.pathname,page_referrer:",
    'document.referrer.startsWith(location.origin+"/")?location.origin+"/":document.referrer.split("?")[0]}));',
    // A page that is about to be left for the answer must not set again what the answer removes (Google's own switch).
    'addEventListener("submit",function({target:form,submitter}){',
    'if(form.getAttribute("action")==="/consent"&&',
    '(submitter&&submitter.value==="reject"||!form.querySelector("[name=analytics]:checked")))',
    `window[${JSON.stringify(`ga-disable-${measurementId}`)}]=true},true);`,
  ].join("");
}
