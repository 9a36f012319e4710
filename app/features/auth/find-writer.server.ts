import type { SiteContext } from "~/server/site-context.server";
import { type Admin, requireAdminOr503 } from "./require-admin.server";

/** Absence of the admin who posted a text. The page returns the text. */
export interface NoWriter {
  /** true if the session has ended */
  needsSignIn: boolean;
  /** 403 for an ended session, 429 if too many sessions are being checked, 503 if the backend is away */
  status: 403 | 429 | 503;
  setCookies: string[];
}

/** Finds the admin who posted a text. Their session may have ended while they were writing. */
export async function findWriter(site: SiteContext, request: Request): Promise<Admin | NoWriter> {
  try {
    return await requireAdminOr503(site, request);
  } catch (refusal) {
    if (!(refusal instanceof Response)) throw refusal;
    const status = refusal.status < 400 ? 403 : refusal.status === 429 ? 429 : 503;
    return { needsSignIn: status === 403, status, setCookies: refusal.headers.getSetCookie() };
  }
}
