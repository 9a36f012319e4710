import { cookies } from "~/content/cookie-registry";
import { nameShownText } from "~/features/consent/record/consent-text.server";
import { type ConsentDecision, parseDecision } from "~/lib/consent";
import { findTag } from "../../support/page-source";
import type { Answer, Visitor } from "../../support/visitor";
import { requestRaw } from "./raw-response";

/** The banner's three controls, and Save Preferences in the dialog. */
export type ConsentChoice = "accept" | "reject" | "close" | "save";

/**
 * Builds the form of the banner or the dialog as /about shows it, with the test's changes.
 * @param analyticsInUse whether the site that receives it uses analytics
 */
export function consentForm(
  choice: string,
  changes: Record<string, string> = {},
  analyticsInUse = false,
): Record<string, string> {
  const source = choice === "save" ? "dialog" : "banner";
  return { choice, source, text: nameShownText(source, analyticsInUse), page: "/about", ...changes };
}

/** Presses one of the controls with scripts off, in a browser that gets a redirect instead of a 204. */
export function choose(
  visitor: Visitor,
  choice: ConsentChoice,
  changes: Record<string, string> = {},
  analyticsInUse = false,
): Promise<Answer> {
  return visitor.post("/consent", consentForm(choice, changes, analyticsInUse));
}

/** Like {@link choose}, on a site that uses analytics. */
export function chooseWithAnalytics(
  visitor: Visitor,
  choice: ConsentChoice,
  changes: Record<string, string> = {},
): Promise<Answer> {
  return choose(visitor, choice, changes, true);
}

/** Returns true if the page contains the cookie banner. */
export function hasBanner(html: string): boolean {
  return findTag(html, "section", { class: "consent-banner" }) !== undefined;
}

/** Reads the decision in the visitor's cookie; `prefix` is the cookie prefix on https. */
export function readDecision(visitor: Visitor, prefix = ""): ConsentDecision | null {
  return parseDecision(visitor.cookie(prefix + cookies.consentPreference.name) ?? "");
}

/** One `Set-Cookie` line, with its attributes in alphabetical order. */
export interface SetCookie {
  name: string;
  value: string;
  attributes: string[];
}

/** Reads all `Set-Cookie` lines of a response. */
export function readSetCookies({ headers }: { headers: Headers }): SetCookie[] {
  return headers.getSetCookie().map((line) => {
    const [pair = "", ...attributes] = line.split("; ");
    const end = pair.indexOf("=");
    return { name: pair.slice(0, end), value: pair.slice(end + 1), attributes: attributes.toSorted() };
  });
}

/** Headers of a navigation, by a browser that is new enough (zstd) to stay on the page. */
export const navigation = {
  "Sec-Fetch-Site": "same-origin",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Dest": "document",
  "Accept-Encoding": "gzip, deflate, br, zstd",
};

/** Posts a form with any headers, because `fetch` sets its own Sec-Fetch-Mode. */
export function postRaw(url: string, fields: Record<string, string>, headers: Record<string, string>) {
  const type = "application/x-www-form-urlencoded";
  const own = { "Content-Type": type, Origin: new URL(url).origin };
  return requestRaw(url, { ...own, ...headers }, "POST", new URLSearchParams(fields).toString());
}
