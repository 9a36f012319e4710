import type { SiteContext } from "~/server/site-context.server";
import { type Admin, requireAdminOr503 } from "./require-admin.server";

/** Absence of the admin who posted a text. The page returns the text. */
export interface NoWriter {
  /** true if the session has ended, false if the backend is away */
  needsSignIn: boolean;
  status: number;
  setCookies: string[];
}

/** Finds the admin who posted a text. Their session may have ended while they were writing. */
export async function findWriter(site: SiteContext, request: Request): Promise<Admin | NoWriter> {
  try {
    return await requireAdminOr503(site, request);
  } catch (refusal) {
    if (!(refusal instanceof Response)) throw refusal;
    const needsSignIn = refusal.status < 400;
    return { needsSignIn, status: needsSignIn ? 403 : 503, setCookies: refusal.headers.getSetCookie() };
  }
}
