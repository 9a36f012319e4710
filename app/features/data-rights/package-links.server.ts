import { z } from "zod";
import { callWithToken, refuseLink } from "~/server/forms/secret-link.server";
import type { SiteContext } from "~/server/site-context.server";

const offer = z.object({ available_until: z.iso.datetime({ offset: true }) });

/**
 * Until when the holder of a status link may have the link to their data mailed.
 * @returns an instant, or null where nothing was handed over
 * @throws Response 503 when the backend is away
 */
export async function findPackageOffer(site: SiteContext, statusToken: string): Promise<string | null> {
  return (await callWithToken(site, "data-rights", "find_package_offer", statusToken, offer))?.available_until ?? null;
}

/**
 * Has the link to the data mailed to its person.
 * @throws Response 404 for a token that opens nothing, or no data; 503 when the backend is away
 */
export async function requestPackageLink(site: SiteContext, statusToken: string): Promise<void> {
  if (!(await callWithToken(site, "data-rights", "request_package_link", statusToken, offer))) refuseLink();
}

/**
 * Until when a link opens data. Changes nothing.
 * @throws as {@link requestPackageLink}
 */
export async function requirePackage(site: SiteContext, token: string): Promise<string> {
  return (await callWithToken(site, "data-rights", "find_package", token, offer))?.available_until ?? refuseLink();
}

const fetched = z.object({ content: z.record(z.string(), z.unknown()) });

/**
 * The data that a link opens; the log says that it was fetched.
 * @returns as `export_subject_data` does, or null for a token that opens nothing
 * @throws Response 503 when the backend is away
 */
export async function fetchPackage(site: SiteContext, token: string): Promise<Record<string, unknown> | null> {
  return (await callWithToken(site, "data-rights", "fetch_package", token, fetched))?.content ?? null;
}
