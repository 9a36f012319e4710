import { type ActionFunctionArgs, type AppLoadContext, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { z } from "zod";
import { type MessageKey, unsentReasons } from "~/content/messages";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import type { SiteContext } from "~/server/site-context.server";
import { type Admin, requireAdminOr503 } from "./require-admin.server";

/** Keeps an admin page out of all caches: `export const headers = adminHeaders`. */
export const adminHeaders = () => ({ "Cache-Control": "no-store" });

/** An admin who opens a page, and the request. */
export interface AdminVisit extends Admin, LoaderFunctionArgs {
  site: SiteContext;
}

/** Loads an admin page. Every page shows `unreadable` and `generatedPasswordOf`. @throws Response that refuses it */
export async function loadAdminPage<Loaded extends object>(
  args: LoaderFunctionArgs,
  load: (visit: AdminVisit) => Promise<Loaded>,
) {
  const site = getSite(args.context);
  const admin = await requireAdminOr503(site, args.request);
  const loaded = await load({ ...args, ...admin, site });
  const { client, generatedPasswordOf, setCookies } = admin;
  return data(
    { ...loaded, unreadable: client.unreadable, generatedPasswordOf },
    { headers: createAdminHeaders(setCookies) },
  );
}

/**
 * Loads an admin page that returns typed text. If it cannot be loaded after a refused post, `found` is null, and the
 * page shows the text with the values of `always`.
 */
export async function findAdminPage<Loaded extends object, Always extends object>(
  args: LoaderFunctionArgs,
  load: (visit: AdminVisit) => Promise<Loaded>,
  always: Always = {} as Always,
) {
  try {
    const { data: found, init } = await loadAdminPage(args, load);
    return data({ ...always, found }, init ?? {});
  } catch (refusal) {
    if (args.context.hasMistakes && refusal instanceof Response) return data({ ...always, found: null });
    throw refusal;
  }
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

/** Receives a post to an admin page. @throws Response of {@link guardPost}, then of {@link requireAdminOr503} */
export function receiveAdminPost(args: ActionFunctionArgs, timeoutMs?: number) {
  return receive(args, (site) => requireAdminOr503(site, args.request, timeoutMs));
}

/**
 * Receives a post that may hold text. If `hasText` returns true, an admin who is missing is a {@link NoWriter} instead
 * of a thrown Response, so that the page can return the text.
 */
export function receiveTypedText(args: ActionFunctionArgs, hasText: (form: FormData) => boolean) {
  return receive(args, (site, form) =>
    hasText(form) ? findWriter(site, args.request) : requireAdminOr503(site, args.request),
  );
}

async function receive<Writer extends Admin | NoWriter>(
  args: ActionFunctionArgs,
  identify: (site: SiteContext, form: FormData) => Promise<Writer>,
) {
  const site = getSite(args.context);
  const { form, address } = await guardPost(args.request, args.context);
  const admin = await identify(site, form);
  return { ...args, site, form, address, admin, ...createResponses(args.context, admin.setCookies) };
}

/** Absence of the admin who posted a text. */
interface NoWriter {
  failure: string;
  /** 403 for an ended session, 429 if too many sessions are being checked, 503 if the backend is away */
  status: 403 | 429 | 503;
  setCookies: string[];
}

/** Finds the admin who posted a text. Their session may have ended while they were writing. */
async function findWriter(site: SiteContext, request: Request): Promise<Admin | NoWriter> {
  try {
    return await requireAdminOr503(site, request);
  } catch (refusal) {
    if (!(refusal instanceof Response)) throw refusal;
    const setCookies = refusal.headers.getSetCookie();
    if (refusal.status < 400) return { failure: unsentReasons.session, status: 403, setCookies };
    if (refusal.status === 429) return { failure: unsentReasons.busy, status: 429, setCookies };
    return { failure: unsentReasons.unavailable, status: 503, setCookies };
  }
}

/** Creates the responses to a post. They read `setCookies` when they are made, because the action may add to them. */
export function createResponses(context: AppLoadContext, setCookies: readonly string[]) {
  return {
    /** Shows the page with the result of the post; a status of 400 or more marks its title as an error. */
    show<Result>(result: Result, status?: number, more: Record<string, string> = {}) {
      context.hasMistakes = status !== undefined && status >= 400;
      const responseHeaders = createAdminHeaders(setCookies);
      for (const [name, value] of Object.entries(more)) responseHeaders.set(name, value);
      return data(result, { status, headers: responseHeaders });
    },
    /** Redirects to a page, which shows the notice. */
    leadTo(path: string, notice?: MessageKey, cookies: readonly string[] = []) {
      const address = notice === undefined ? path : getSite(context).notices.addTo(path, notice);
      return redirect(address, { status: 303, headers: createAdminHeaders([...setCookies, ...cookies]) });
    },
  };
}
