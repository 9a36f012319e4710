import { createHash } from "node:crypto";
import { z } from "zod";
import {
  networkCheckSizes,
  networkFields,
  networkKinds,
  networkQualifications,
} from "#supabase/functions/_shared/network-fields";
import { type NetworkMemberChange, toMemberColumns } from "#supabase/functions/_shared/network-details";
import { callLinkFunction, refuseLink } from "~/server/forms/secret-link.server";
import type { SiteContext } from "~/server/site-context.server";

const instant = z.iso.datetime({ offset: true });

const detailsSchema = z.object({
  name: z.string(),
  company: z.string(),
  kind: z.enum(networkKinds).nullable(),
  fields: z.array(z.enum(networkFields)),
  check_size: z.enum(networkCheckSizes).nullable(),
  place: z.string().nullable(),
  qualification: z.enum(networkQualifications).nullable(),
});

const membershipSchema = detailsSchema.extend({
  state: z.enum(["asked", "confirmed", "admitted", "declined"]),
  email: z.string(),
  asked_at: instant,
  confirmed_at: instant.nullable(),
  renewal_asked_at: instant.nullable(),
  /** when the member stopped all mail; the membership is deleted on `deleted_on` */
  unsubscribed_at: instant.nullable(),
  deleted_on: z.iso.date().nullable(),
  /** since when mail is returned, and the code of the reason */
  paused_at: instant.nullable(),
  pause_reason: z.string().nullable(),
  pending: detailsSchema.nullable(),
  is_restricted: z.boolean(),
  version: z.int(),
});

/** Details of a member, by the database's columns. */
export type MemberDetails = z.output<typeof detailsSchema>;

/** The membership that a link opens. `pending`: a later wish that waits for confirmation. Instants are ISO 8601. */
export type Membership = z.output<typeof membershipSchema>;

/**
 * Reads the membership of a link. Changes nothing.
 * @throws Response 404 for a token that is unknown, expired or forged; 503 if the backend is unavailable
 */
export function requireMembership(site: SiteContext, token: string): Promise<Membership> {
  return callOrRefuse(site, "find_membership", token);
}

/**
 * Confirms the membership, its pending wish and a requested renewal. Works repeatedly.
 * @param shown digest of the pending wish that the page showed; see {@link digestOfPending}
 * @returns false if a later wish has arrived that the page did not show; then nothing is confirmed
 * @throws as {@link requireMembership}
 */
export async function confirmMembership(site: SiteContext, token: string, shown: string): Promise<boolean> {
  const { pending } = await requireMembership(site, token);
  // A second post of the same form finds nothing pending any more.
  if (pending !== null && digestOfPending(pending) !== shown) return false;
  await callOrRefuse(site, "confirm_membership", token);
  return true;
}

/** Identifies a pending wish in a form, so that only what the page showed is confirmed. Empty for none. */
export function digestOfPending(pending: MemberDetails | null): string {
  if (pending === null) return "";
  return createHash("sha256").update(JSON.stringify(pending)).digest("base64url").slice(0, 16);
}

/**
 * Discards the pending wish. Works repeatedly.
 * @throws as {@link requireMembership}
 */
export async function discardPending(site: SiteContext, token: string): Promise<void> {
  await callOrRefuse(site, "discard_membership_change", token);
}

/**
 * Stores a member's changes.
 * @param seen version that the form showed
 * @returns `conflict` if the membership has changed since; `refused` if it cannot be changed: before confirmation, or
 *   while restricted
 * @throws as {@link requireMembership}
 */
export async function changeMembership(
  site: SiteContext,
  token: string,
  change: NetworkMemberChange,
  seen: number | null,
): Promise<"changed" | "conflict" | "refused"> {
  const result = await callLinkFunction<unknown>(site, {
    area: "network",
    name: "change_membership",
    parameters: { token, details: toMemberColumns(change), seen_version: seen },
    result: membershipSchema,
    refusals: { PT409: "conflict", "55000": "refused" },
  });
  if (result === null) refuseLink();
  return result === "conflict" || result === "refused" ? result : "changed";
}

/**
 * Takes back a member's stop of all mail, and ends a pause after returned mail. Works repeatedly.
 * @throws as {@link requireMembership}
 */
export async function resumeMail(site: SiteContext, token: string): Promise<void> {
  const call = { area: "network", name: "resubscribe_member", parameters: { token }, result: z.boolean() } as const;
  if (!(await callLinkFunction(site, call))) refuseLink();
}

/**
 * Deletes the membership immediately.
 * @throws as {@link requireMembership}
 */
export async function leaveNetwork(site: SiteContext, token: string): Promise<void> {
  const call = { area: "network", name: "leave_network", parameters: { token }, result: z.boolean() } as const;
  if (!(await callLinkFunction(site, call))) refuseLink();
}

async function callOrRefuse(site: SiteContext, name: string, token: string): Promise<Membership> {
  const call = { area: "network", name, parameters: { token }, result: membershipSchema } as const;
  return (await callLinkFunction(site, call)) ?? refuseLink();
}
