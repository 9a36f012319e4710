import { analyticsCookiesLive } from "~/content/cookie-registry";
import { analyzedPaths } from "~/content/site-pages";
import { hashOf } from "~/server/document/inline-scripts.server";
import type { Settings } from "~/server/config/settings.server";
import type { ConsentView } from "../state/consent-view.server";

/**
 * Builds Google's tag with Consent Mode v2: everything is denied by default, then analytics alone is granted. Marketing
 * consent changes nothing here: the site has no advertising, so Google may never use the data for it.
 * @returns `html`: for the end of `<head>`; `scriptHash`: base64 SHA-256 of the inline script, for the content security
 *   policy; null when the operator has set no property, the visitor must not be measured, or the page is not analyzed
 */
export function findAnalyticsTag(
  { gaMeasurementId, isHttps }: Pick<Settings, "gaMeasurementId" | "isHttps">,
  pathname: string,
  { measures }: Pick<ConsentView, "measures">,
): { html: string; scriptHash: string } | null {
  if (gaMeasurementId === undefined || !measures || !analyzedPaths.has(pathname)) return null;
  const script = buildScript(gaMeasurementId, isHttps);
  return {
    html:
      `<script>${script}</script>` +
      `<script async src="https://www.googletagmanager.com/gtag/js?id=${gaMeasurementId}"></script>`,
    scriptHash: hashOf(script),
  };
}

function buildScript(measurementId: string, isHttps: boolean): string {
  const advertising = { ad_storage: "denied", ad_user_data: "denied", ad_personalization: "denied" };
  const options = {
    cookie_expires: analyticsCookiesLive,
    // No other host of the domain gets them.
    cookie_domain: "none",
    cookie_flags: isHttps ? "SameSite=Lax;Secure" : "SameSite=Lax",
    allow_google_signals: false,
    allow_ad_personalization_signals: false,
  };
  // Addresses are sent without their query, which may hold a secret. If the previous page is ours, only our origin is
  // sent as referrer, because that page may be one that is not analyzed.
  return [
    "window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}",
    `gtag("consent","default",${JSON.stringify({ ...advertising, analytics_storage: "denied" })});`,
    `gtag("consent","update",${JSON.stringify({ ...advertising, analytics_storage: "granted" })});`,
    'gtag("js",new Date());',
    `gtag("config",${JSON.stringify(measurementId)},Object.assign(${JSON.stringify(options)},`,
    "{page_location:location.origin+location.pathname,page_referrer:",
    'document.referrer.startsWith(location.origin+"/")?location.origin+"/":document.referrer.split("?")[0]}));',
    // A page that submits a refusal must not set cookies again before it unloads (Google's own switch).
    'addEventListener("submit",function({target:form,submitter}){',
    'if(form.getAttribute("action")==="/consent"&&',
    '(submitter&&submitter.value==="reject"||!form.querySelector("[name=analytics]:checked")))',
    `window[${JSON.stringify(`ga-disable-${measurementId}`)}]=true},true);`,
  ].join("");
}
