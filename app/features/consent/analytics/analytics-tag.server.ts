import { cookies } from "~/content/facts";
import { publicPaths } from "~/content/site-pages";
import type { Choice } from "~/lib/consent";
import { hashOf } from "~/server/document/inline-scripts.server";
import type { Settings } from "~/server/config/settings.server";

/** What a page carries for a visitor who has allowed analytics, and what its policy must allow for it. */
export interface AnalyticsTag {
  /** goes to the end of `<head>` */
  html: string;
  /** base64 SHA-256 of the script within the page */
  scriptHash: string;
}

/**
 * Google's tag with Consent Mode v2: everything denied by default, then what this visitor allows granted.
 * @returns null when the operator has set no property, the visitor has not allowed analytics, or the page is not public
 */
export function findAnalyticsTag(
  { gaMeasurementId }: Pick<Settings, "gaMeasurementId">,
  pathname: string,
  allowed: Choice,
): AnalyticsTag | null {
  // The addresses of pages that are not public must not reach Google.
  if (gaMeasurementId === undefined || !allowed.analytics || !publicPaths.has(pathname)) return null;
  const script = writeScript(gaMeasurementId, allowed);
  return {
    html:
      `<script>${script}</script>` +
      `<script async src="https://www.googletagmanager.com/gtag/js?id=${gaMeasurementId}"></script>`,
    scriptHash: hashOf(script),
  };
}

function writeScript(measurementId: string, { marketing }: Choice): string {
  const advertising = ["ad_storage", "ad_user_data", "ad_personalization"];
  const denied = setStates([...advertising, "analytics_storage"], "denied");
  const granted = setStates([...(marketing ? advertising : []), "analytics_storage"], "granted");
  const options = {
    cookie_expires: cookies.googleAnalytics.lifetime,
    allow_google_signals: marketing,
    allow_ad_personalization_signals: marketing,
  };
  // Addresses go without their query, which may hold what is between us and the visitor.
  return [
    "window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}",
    `gtag("consent","default",${JSON.stringify(denied)});`,
    `gtag("consent","update",${JSON.stringify(granted)});`,
    'gtag("js",new Date());',
    `gtag("config",${JSON.stringify(measurementId)},Object.assign(${JSON.stringify(options)},`,
    "{page_location:location.origin+location.pathname,page_referrer:document.referrer.split('?')[0]}));",
    // A page that is about to be left for the answer must not set again what the answer removes (Google's own switch).
    'addEventListener("submit",function({target:form}){',
    'if(form.getAttribute("action")==="/consent"&&!form.querySelector("[name=analytics]:checked"))',
    `window[${JSON.stringify(`ga-disable-${measurementId}`)}]=true},true);`,
  ].join("");
}

function setStates(names: string[], state: "denied" | "granted"): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, state]));
}
