import { z } from "zod";
import { type RequestStateKey, statusPage } from "~/content/privacy/data-rights-links";
import { dataRightsTypeWords } from "~/content/privacy/data-rights-types";
import { callWithToken, refuseLink } from "~/server/forms/secret-link.server";
import type { SiteContext } from "~/server/site-context.server";

const instant = z.iso.datetime({ offset: true });

const confirmationSchema = z.object({
  reference: z.string(),
  request_type: z.enum(keysOf(dataRightsTypeWords)),
  due_on: z.iso.date(),
});

const statusSchema = confirmationSchema.extend({
  state: z.enum(keysOf(statusPage.states) as RequestStateKey[]),
  received_at: instant,
  extended_at: instant.nullable(),
  closed_at: instant.nullable(),
});

/** The data rights request that a link would confirm. `due_on` is a day in the firm's time zone. */
export type Confirmation = z.output<typeof confirmationSchema>;

/** Status of the data rights request behind a link. Instants are ISO 8601. */
export type RequestStatus = z.output<typeof statusSchema>;

/**
 * Reads the data rights request that a confirmation link would confirm. Changes nothing.
 * @returns null for a token that is unknown, expired, used or forged
 * @throws Response 503 if the backend is unavailable
 */
export async function findConfirmation(site: SiteContext, token: string): Promise<Confirmation | null> {
  return callWithToken(site, "data-rights", "find_data_rights_confirmation", token, confirmationSchema);
}

/**
 * Reads the data rights request that a confirmation link has confirmed within the last hour.
 * @throws Response 404 for any other token; 503 if the backend is unavailable
 */
export async function requireConfirmed(site: SiteContext, token: string): Promise<RequestStatus> {
  const find = "find_confirmed_data_rights_request";
  return (await callWithToken(site, "data-rights", find, token, statusSchema)) ?? refuseLink();
}

/**
 * Confirms the data rights request of a link. The link works once; a second click within the hour succeeds as well.
 * @throws Response 404 for a token that is unknown, expired, used earlier or forged; 503 if the backend is unavailable
 */
export async function confirmRequest(site: SiteContext, token: string): Promise<void> {
  if (!(await callWithToken(site, "data-rights", "confirm_data_rights_request", token, z.object({}))))
    await requireConfirmed(site, token);
}

/**
 * Reads the status of a data rights request by its status link.
 * @throws as {@link confirmRequest}
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

function keysOf<Key extends string>(words: Record<Key, string>): Key[] {
  return Object.keys(words) as Key[];
}
