import { consentVersion, cookies } from "~/content/cookie-registry";
import { nameShownText } from "~/features/consent/record/consent-text.server";
import { type ConsentDecision, parseDecision } from "~/lib/consent";
import { findTag } from "../../support/page-source";
import type { Answer, Visitor } from "../../support/visitor";
import type { StubProject } from "./stub-project";

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
  choice: "accept" | "reject" | "close" | "save",
  changes: Record<string, string> = {},
  analyticsInUse = false,
): Promise<Answer> {
  return visitor.post("/consent", consentForm(choice, changes, analyticsInUse));
}

/** Returns true if the page contains the cookie banner. */
export function hasBanner(html: string): boolean {
  return findTag(html, "section", { class: "consent-banner" }) !== undefined;
}

/** Reads the decision in the visitor's cookie; `prefix` is the cookie prefix on https. */
export function readDecision(visitor: Visitor, prefix = ""): ConsentDecision | null {
  return parseDecision(visitor.cookie(prefix + cookies.consentPreference.name) ?? "");
}

/** Returns the body of every call of `record-consent` that a project received, oldest first. */
export const readRecords = ({ calls }: StubProject) =>
  calls
    .filter(({ path }) => path === "/functions/v1/record-consent")
    .map(({ body }) => JSON.parse(body) as Record<string, string | boolean | null>);

/** Reads all `Set-Cookie` lines of a response, each with its attributes in alphabetical order. */
export function readSetCookies({ headers }: { headers: Headers }) {
  return headers.getSetCookie().map((line) => {
    const [pair = "", ...attributes] = line.split("; ");
    const end = pair.indexOf("=");
    return { name: pair.slice(0, end), value: pair.slice(end + 1), attributes: attributes.toSorted() };
  });
}

/** Returns the exact call that records a decision of this browser, without any additional field. */
export function callOf(decision: ConsentDecision, userAgent: string) {
  return {
    session_id: decision.recordId,
    analytics: decision.analytics,
    marketing: decision.marketing,
    consent_version: consentVersion,
    text_hash: decision.textHash,
    source: decision.source,
    user_agent: userAgent,
    decided_at: decision.decidedAt,
  };
}
