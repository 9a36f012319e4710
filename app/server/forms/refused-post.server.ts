import type { AppLoadContext } from "@remix-run/node";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields";
import { refusedPostText, typedTextLabel } from "~/content/error-pages";
import { networkWords } from "~/content/pages/network";
import { resolveReturnPage } from "~/lib/http/return-page";
import type { RefusedPost } from "~/lib/pages/refused-post";
import { getSite } from "../default-site.server";
import { readForm } from "./read-form.server";

/**
 * Fields of all forms that hold typed text, with their labels. The page never shows other fields: passwords, codes,
 * tokens, the honeypot, and hidden fields.
 */
const typedFields = new Map<string, string>([
  ...contactFieldList.map(([name, { label }]): [string, string] => [name, label]),
  ["place", networkWords.labels.place],
  ["requestType", "Request type"],
  ["description", "Details"],
  ["channel", "How it arrived"],
  ["receivedOn", "Date received"],
  ["text", typedTextLabel],
  ["body", typedTextLabel],
]);

/** Addresses without a page and without typed text, and the page that has their form. */
const buttons = new Map([
  ["/consent", "/"],
  ["/logout", "/admin"],
]);

/**
 * Refuses a post from another origin and returns the typed text. Otherwise a visitor who used another name of the site
 * would lose minutes of writing. Changes nothing. Another site can make this page show its text, escaped, and nothing
 * else.
 * @returns a response to throw: 403 with a {@link RefusedPost} as JSON, not cacheable. The error page reads the JSON;
 *   people see it only at addresses without a page.
 */
export async function refusePost(request: Request, context: AppLoadContext): Promise<Response> {
  // Refuse a body that is too large or not a form in the same way.
  const form = await readForm(request, context).catch(() => new FormData());
  const { siteUrl, siteUrlIsExplicit } = getSite(context).settings;
  const { origin, pathname, search } = new URL(request.url);
  const ownOrigin = siteUrlIsExplicit ? siteUrl : origin;
  const otherPage = buttons.get(pathname);
  const page = otherPage === undefined ? pathname + search : (textOf(form, "page") ?? otherPage);
  const refused: RefusedPost = {
    message: refusedPostText,
    typed: otherPage === undefined ? listTyped(form) : [],
    page: (siteUrlIsExplicit ? siteUrl : "") + resolveReturnPage(page, ownOrigin, []),
  };
  return Response.json(refused, { status: 403, statusText: "Forbidden", headers: { "Cache-Control": "no-store" } });
}

/**
 * Adds the typed text to the response for a post that failed before its page could be shown.
 * @param refusal without a body; anything else is returned unchanged
 */
export function keepTyped(refusal: unknown, request: Request, form: FormData): unknown {
  if (!(refusal instanceof Response) || refusal.body !== null) return refusal;
  const { pathname, search } = new URL(request.url);
  const refused: RefusedPost = { message: "", typed: listTyped(form), page: pathname + search };
  if (refused.typed.length === 0) return refusal;
  const { status, statusText, headers } = refusal;
  return Response.json(refused, { status, statusText, headers });
}

function listTyped(form: FormData): RefusedPost["typed"] {
  return [...form].flatMap(([name, text]) => {
    const label = typedFields.get(name);
    return label !== undefined && typeof text === "string" && text.trim() !== "" ? [{ label, text }] : [];
  });
}

function textOf(form: FormData, name: string): string | null {
  const value = form.get(name);
  return typeof value === "string" ? value : null;
}
