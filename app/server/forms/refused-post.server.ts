import type { AppLoadContext } from "@remix-run/node";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields";
import { refusedPostText, typedTextLabel } from "~/content/error-pages";
import { resolveReturnPage } from "~/lib/http/return-page";
import type { RefusedPost } from "~/lib/pages/refused-post";
import { getSite } from "../default-site.server";
import { readForm } from "./read-form.server";

/**
 * Fields of all forms that people type words into. Everything else stays out of the page: passwords, codes, tokens,
 * the honeypot, and what a form sends by itself.
 */
const typedFields = new Map<string, string>([
  ...contactFieldList.map(([name, { label }]): [string, string] => [name, label]),
  ["requestType", "Request type"],
  ["description", "Details"],
  ["channel", "How it arrived"],
  ["receivedOn", "Date received"],
  ["text", typedTextLabel],
  ["body", typedTextLabel],
]);

/** Addresses that have no page and take nothing that is typed, with the page that has their form. */
const buttons = new Map([
  ["/consent", "/"],
  ["/logout", "/admin"],
]);

/**
 * Refuses a post from elsewhere and gives back the typed words: under another name of the site, minutes of writing would be
 * lost. Nothing is changed. Another site can have its own text shown here, escaped, and nothing else.
 * @returns for `throw`: 403 with a {@link RefusedPost}, in no cache. JSON reaches an error page as it is, and a person only
 *   where the address has no page.
 */
export async function refusePost(request: Request, context: AppLoadContext): Promise<Response> {
  // A body that is no form, or too large, is refused all the same.
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
