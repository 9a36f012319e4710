import { z } from "zod";
import { callWithToken, refuseLink } from "~/server/forms/secret-link.server";
import type { SiteContext } from "~/server/site-context.server";

const offerSchema = z.object({ available_until: z.iso.datetime({ offset: true }) });

/**
 * Emails the link to the data to the data subject.
 * @throws Response 404 for an unknown token or a request without data; 503 if the backend is unavailable
 */
export async function requestPackageLink(site: SiteContext, statusToken: string): Promise<void> {
  if (!(await callWithToken(site, "data-rights", "request_package_link", statusToken, offerSchema))) refuseLink();
}

/**
 * Reads until when a link to data works. Changes nothing.
 * @throws as {@link requestPackageLink}
 */
export async function requirePackage(site: SiteContext, token: string): Promise<string> {
  return (
    (await callWithToken(site, "data-rights", "find_package", token, offerSchema))?.available_until ?? refuseLink()
  );
}

const packageSchema = z.object({ content: z.record(z.string(), z.unknown()) });

/**
 * Fetches the data behind a link and logs the download.
 * @returns the result of `export_subject_data`; null for an unknown token
 * @throws Response 503 if the backend is unavailable
 */
export async function fetchPackage(site: SiteContext, token: string): Promise<Record<string, unknown> | null> {
  return (await callWithToken(site, "data-rights", "fetch_package", token, packageSchema))?.content ?? null;
}
