import { type IncomingMessage, request } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { cookies } from "~/content/cookie-registry";
import { nameShownText } from "~/features/consent/record/consent-text.server";
import { type ConsentDecision, parseDecision } from "~/lib/consent";
import { findTag } from "../../support/page-source";
import type { Answer, Visitor } from "../../support/visitor";

/** What can be pressed: three of the banner's controls, and the dialog's Save Preferences. */
export type ConsentChoice = "accept" | "reject" | "close" | "save";

/**
 * The form of the banner or the dialog as /about shows it, with what a test changes.
 * @param analyticsInUse on the site that it is posted to
 */
export function consentForm(
  choice: string,
  changes: Record<string, string> = {},
  analyticsInUse = false,
): Record<string, string> {
  const source = choice === "save" ? "dialog" : "banner";
  return { choice, source, text: nameShownText(source, analyticsInUse), page: "/about", ...changes };
}

/** Presses one of the controls, with scripts off and in a browser that follows the redirect. */
export function choose(
  visitor: Visitor,
  choice: ConsentChoice,
  changes: Record<string, string> = {},
  analyticsInUse = false,
): Promise<Answer> {
  return visitor.post("/consent", consentForm(choice, changes, analyticsInUse));
}

/** As {@link choose}, on a site that uses analytics. */
export function chooseWithAnalytics(
  visitor: Visitor,
  choice: ConsentChoice,
  changes: Record<string, string> = {},
): Promise<Answer> {
  return choose(visitor, choice, changes, true);
}

/** Whether the question about cookies is part of the page. */
export function hasBanner(html: string): boolean {
  return findTag(html, "section", { class: "consent-banner" }) !== undefined;
}

/** What the visitor's cookie says; `prefix` is that of cookies on https. */
export function readDecision(visitor: Visitor, prefix = ""): ConsentDecision | null {
  return parseDecision(visitor.cookie(prefix + cookies.consentPreference.name) ?? "");
}

/** One `Set-Cookie` line; attributes in alphabetical order, as they were written. */
export interface SetCookie {
  name: string;
  value: string;
  attributes: string[];
}

/** All `Set-Cookie` lines of an answer. */
export function readSetCookies({ headers }: { headers: Headers }): SetCookie[] {
  return headers.getSetCookie().map((line) => {
    const [pair = "", ...attributes] = line.split("; ");
    const end = pair.indexOf("=");
    return { name: pair.slice(0, end), value: pair.slice(end + 1), attributes: attributes.toSorted() };
  });
}

/** The headers by which a browser says that it navigates, and, with zstd, that it is young enough to stay on the page. */
export const navigation = {
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Dest": "document",
  "Accept-Encoding": "gzip, deflate, br, zstd",
};

/** Posts a form with any headers: `fetch` sets its own Sec-Fetch-Mode. */
export async function postRaw(url: string, fields: Record<string, string>, headers: Record<string, string>) {
  const post = request(url, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: new URL(url).origin, ...headers },
  });
  post.end(new URLSearchParams(fields).toString());
  const [response] = (await once(post, "response")) as [IncomingMessage];
  const answer = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) answer.append(name, value);
  }
  return { status: response.statusCode ?? 0, headers: answer, html: await text(response) };
}
