import { type ActionFunctionArgs, type AppLoadContext, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { z } from "zod";
import { type MessageKey, unsentReasons } from "~/content/messages";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import type { KeptForm, KeptPost, PostedField, Refusal } from "~/server/forms/admin-refusal.server";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import type { SiteContext } from "~/server/site-context.server";
import { type Admin, requireAdmin } from "./require-admin.server";

/** Keeps an admin page out of all caches: `export const headers = adminHeaders`. */
export const adminHeaders = () => ({ "Cache-Control": "no-store" });

/** An admin who opens a page, and the request. */
export interface AdminVisit extends Admin, LoaderFunctionArgs, Pick<Responses<object>, "leadTo"> {
  site: SiteContext;
}

/**
 * Makes the loader of an admin page. If the page cannot be loaded after a refused post, `found` is null, and `adminPage`
 * shows what was typed.
 * @throws Response that refuses the page
 */
export function adminLoader<Loaded extends object>(load: (visit: AdminVisit) => Promise<Loaded>) {
  return async (args: LoaderFunctionArgs) => {
    try {
      const site = getSite(args.context);
      const admin = await requireAdmin(site, args.request);
      const { leadTo } = createResponses(args.context, admin.setCookies);
      const loaded = await load({ ...args, ...admin, site, leadTo });
      const { client, generatedPasswordOf, setCookies } = admin;
      const found = { ...loaded, unreadable: client.unreadable, generatedPasswordOf };
      return data({ found }, { headers: createAdminHeaders(setCookies) });
    } catch (refusal) {
      if (args.context.hasMistakes && refusal instanceof Response) return data({ found: null });
      throw refusal;
    }
  };
}

/** Returns the data of a call's result. @throws Response 404 if there is none, or the status of the failure */
export function requireData<Data>(result: { ok: true; data: Data | null } | { ok: false; status: number }): Data {
  if (!result.ok) throw new Response(null, { status: result.status });
  if (result.data === null) throw notFound();
  return result.data;
}

/** Returns the id in a page's address. @throws Response 404 if it is none */
export function requireId(id: string | undefined): string {
  const parsed = z.uuid().safeParse(id);
  if (!parsed.success) throw notFound();
  return parsed.data;
}

const notFound = () => new Response(null, { status: 404, statusText: "Not Found" });

/** Creates the response to a post that no form of the page sends. */
export const badRequest = () => new Response(null, { status: 400, statusText: "Bad Request" });

/** Receives a post that downloads a file. @throws Response of {@link guardPost}, then of {@link requireAdmin} */
export async function receiveAdminPost(args: ActionFunctionArgs, timeoutMs?: number) {
  const site = getSite(args.context);
  const { form } = await guardPost(args.request, args.context);
  const admin = await requireAdmin(site, args.request, timeoutMs);
  return { ...args, site, form, admin };
}

/** A post to an admin page, and the responses to it. */
export interface AdminPost<Shown> extends ActionFunctionArgs, Responses<Shown> {
  site: SiteContext;
  form: FormData;
  /** the client's address; null if unknown */
  address: string | null;
  admin: Admin;
  /**
   * Fields of the form, until it is confirmed: a permanent deletion first leads to a page with only the question. In a
   * text browser a closed `<details>` is open, so it protects nothing there.
   */
  unconfirmed: PostedField[] | null;
}

type Responses<Shown> = ReturnType<typeof createResponses<Shown>>;

/**
 * Makes the action of an admin page. A post whose writer is no longer signed in, or whose record is gone, comes back
 * with its text.
 * @param act does what the form asks for
 * @param kept texts of the page's forms
 */
export function adminAction<Shown extends object = object>(
  act: (post: AdminPost<Shown>) => Promise<ReturnType<Responses<Shown>["show" | "leadTo"]>>,
  kept: KeptForm = { texts: [] },
) {
  return async (args: ActionFunctionArgs) => {
    const site = getSite(args.context);
    const { form, address } = await guardPost(args.request, args.context);
    const respond = (setCookies: readonly string[]) =>
      createResponses<Shown>(args.context, setCookies, (failure, status) =>
        keepPost(args.request, form, kept, failure, status),
      );
    let admin: Admin | null = null;
    try {
      admin = await requireAdmin(site, args.request);
      const unconfirmed = form.get("confirmed") === "yes" ? null : listFields(form);
      return await act({ ...args, site, form, address, admin, unconfirmed, ...respond(admin.setCookies) });
    } catch (refusal) {
      const why =
        refusal instanceof Response && hasText(form, kept) ? explainRefusal(refusal.status, admin !== null) : null;
      if (why === null || !(refusal instanceof Response)) throw refusal;
      const { show } = respond(admin?.setCookies ?? refusal.headers.getSetCookie());
      return show({ failure: why.failure } as Partial<Shown> & Refusal, why.status);
    }
  };
}

/** Returns the typed text of a field, as pages show it. */
export function readText(form: FormData, name: string): string {
  const text = form.get(name);
  return typeof text === "string" ? text.replaceAll("\r\n", "\n") : "";
}

function listFields(form: FormData): PostedField[] {
  return [...form].flatMap(([name, value]) => (typeof value === "string" ? [{ name, value }] : []));
}

/** Returns true if the form has a typed text, which must not be lost. */
function hasText(form: FormData, { texts }: KeptForm): boolean {
  return texts.some(({ name }) => readText(form, name).trim() !== "");
}

/** Explains a refusal to the writer of a text; null if it is none. Their session may have ended while they wrote. */
function explainRefusal(status: number, isAdmin: boolean): { failure: string; status: number } | null {
  if (isAdmin && status === 404) return { failure: goneFailure, status };
  if (isAdmin && status !== 503) return null;
  if (status < 400) return { failure: unsentReasons.session, status: 403 };
  if (status === 429) return { failure: unsentReasons.busy, status };
  return { failure: unsentReasons.unavailable, status: 503 };
}

const goneFailure =
  "It no longer exists. Someone may have deleted it in the meantime. Copy your text if you still need it.";

/**
 * Keeps a refused post. A record that is gone cannot take its text any more. Without a text, nothing comes back: the
 * other fields may be passwords or codes.
 */
function keepPost({ url }: Request, form: FormData, kept: KeptForm, failure: string | null, status: number): KeptPost {
  const { pathname, search } = new URL(url);
  const isGone = status === 404;
  const isTyped = hasText(form, kept);
  // A database that did not answer may have done it all the same.
  const nothing = status === 503 ? "This may not have been" : "Nothing was";
  const fields = listFields(form).filter(({ name }) => !kept.texts.some((text) => text.name === name));
  return {
    title: `${nothing} ${form.get("intent") === "send" ? "sent" : "saved"}`,
    failure: isGone && isTyped ? (kept.gone ?? goneFailure) : failure,
    action: pathname + search,
    texts: isTyped ? kept.texts.map((text) => ({ ...text, value: readText(form, text.name) })) : [],
    fields: isTyped && !isGone ? fields : null,
    list: kept.list,
  };
}

/**
 * Creates the responses to a post. They read `setCookies` when they are made, because the action may add to them.
 * @param keep keeps the post, in case its page cannot be shown
 */
export function createResponses<Shown>(
  context: AppLoadContext,
  setCookies: readonly string[],
  keep?: (failure: string | null, status: number) => KeptPost,
) {
  return {
    /** Shows the page with the result of the post; a status of 400 or more marks its title as an error. */
    show(result: Partial<Shown> & Refusal, status = 200, more: Record<string, string> = {}) {
      context.hasMistakes = status >= 400;
      context.question = result.title;
      const responseHeaders = createAdminHeaders(setCookies);
      for (const [name, value] of Object.entries(more)) responseHeaders.set(name, value);
      const shown = status >= 400 && keep ? { ...result, kept: keep(result.failure ?? null, status) } : result;
      return data(shown, { status, headers: responseHeaders });
    },
    /** Redirects to a page, which shows the notice. */
    leadTo(path: string, notice?: MessageKey, cookies: readonly string[] = []) {
      const address = notice === undefined ? path : getSite(context).notices.addTo(path, notice);
      return redirect(address, { status: 303, headers: createAdminHeaders([...setCookies, ...cookies]) });
    },
  };
}
