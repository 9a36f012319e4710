import { z } from "zod";
import { type RequestStateKey, statusPage } from "~/content/privacy/data-rights-links";
import { dataRightsTypeWords } from "~/content/privacy/data-rights-types";
import { callLinkFunction, callWithToken, refuseLink } from "~/server/forms/secret-link.server";
import type { SiteContext } from "~/server/site-context.server";

const instant = z.iso.datetime({ offset: true });

const statusSchema = z.object({
  reference: z.string(),
  request_type: z.enum(keysOf(dataRightsTypeWords)),
  due_on: z.iso.date(),
  state: z.enum(keysOf(statusPage.states) as RequestStateKey[]),
  received_at: instant,
  extended_at: instant.nullable(),
  closed_at: instant.nullable(),
  /** until when the link to handed-over data may be requested */
  package_until: instant.nullish(),
});

/** Status of the data rights request behind a link. Instants are ISO 8601. */
export type RequestStatus = z.output<typeof statusSchema>;

/**
 * Reads the data rights request of a confirmation link, for an hour after its use. Changes nothing.
 * @returns in the state `unconfirmed` until the link is used
 * @throws Response 404 for a token that is unknown, expired, used earlier or forged; 503 if the backend is unavailable
 */
export async function requireConfirmation(site: SiteContext, token: string): Promise<RequestStatus> {
  const parameters = { token, purpose: "confirm" };
  const call = { area: "data-rights", name: "find_data_rights_status", parameters } as const;
  const rows = await callLinkFunction(site, { ...call, result: statusSchema.array().max(1) });
  return rows?.[0] ?? refuseLink();
}

/**
 * Confirms the data rights request of a link. The link works once; a second click within the hour succeeds as well.
 * @throws as {@link requireConfirmation}
 */
export async function confirmRequest(site: SiteContext, token: string): Promise<void> {
  if (!(await callWithToken(site, "data-rights", "confirm_data_rights_request", token, z.object({}))))
    await requireConfirmation(site, token);
}

/**
 * Reads the status of a data rights request by its status link.
 * @throws as {@link requireConfirmation}
 */
export async function requireStatus(site: SiteContext, token: string): Promise<RequestStatus> {
  return (await callWithToken(site, "data-rights", "find_data_rights_status", token, statusSchema)) ?? refuseLink();
}

/**
 * Withdraws the data rights request of a status link.
 * @returns false if there was nothing to withdraw: the request is closed, or the token is unknown
 * @throws Response 503 if the backend is unavailable
 */
export async function withdrawRequest(site: SiteContext, token: string): Promise<boolean> {
  return (await callWithToken(site, "data-rights", "withdraw_data_rights_request", token, z.object({}))) !== null;
}

const offerSchema = z.object({ available_until: instant });

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

function keysOf<Key extends string>(words: Record<Key, string>): Key[] {
  return Object.keys(words) as Key[];
}
