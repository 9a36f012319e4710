import { z } from "zod";
import {
  networkCheckSizes,
  networkFields,
  networkKinds,
  networkQualifications,
} from "#supabase/functions/_shared/network-fields";
import { type NetworkMemberChange, toMemberColumns } from "#supabase/functions/_shared/network-details";
import { callLinkFunction, callWithToken, refuseLink } from "~/server/forms/secret-link.server";
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
  /** identifies the pending wish; empty without one */
  pending_digest: z.string(),
  link_ends_at: instant,
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
export async function requireMembership(site: SiteContext, token: string): Promise<Membership> {
  const call = { area: "network", name: "find_membership", parameters: { token }, result: membershipSchema } as const;
  return (await callLinkFunction(site, call)) ?? refuseLink();
}

/**
 * Confirms the membership, its pending wish and a requested renewal, or discards the pending wish. Works repeatedly.
 * @param shown `pending_digest` of the page that the member saw
 * @returns `conflict` if a later wish has arrived that the page did not show; then nothing has changed
 * @throws as {@link requireMembership}
 */
export function decideMembership(site: SiteContext, decision: "confirm" | "discard", token: string, shown: string) {
  const name = decision === "confirm" ? "confirm_membership" : "discard_membership_change";
  return change(site, name, { token, shown });
}

/**
 * Stores a member's changes.
 * @param seen version that the form showed
 * @returns `conflict` if the membership has changed since; `refused` if it cannot be changed: before confirmation, or
 *   while restricted
 * @throws as {@link requireMembership}
 */
export function changeMembership(
  site: SiteContext,
  token: string,
  details: NetworkMemberChange,
  seen: number | null,
): Promise<"changed" | "conflict" | "refused"> {
  const parameters = { token, details: toMemberColumns(details), seen_version: seen };
  return change(site, "change_membership", parameters);
}

async function change(site: SiteContext, name: string, parameters: { token: string } & Record<string, unknown>) {
  const outcome = await callLinkFunction<"changed" | "conflict" | "refused">(site, {
    area: "network",
    name,
    parameters,
    result: membershipSchema.transform(() => "changed" as const),
    refusals: { PT409: "conflict", "55000": "refused" },
  });
  return outcome ?? refuseLink();
}

/** Actions of a member's page that need nothing but its link. */
const pageActions = { resume: "resubscribe_member", endLinks: "end_page_links", leave: "leave_network" } as const;

/**
 * Takes back a member's stop of all mail and ends a pause after returned mail, ends all links to the page, or deletes the
 * membership immediately.
 * @throws as {@link requireMembership}
 */
export async function act(site: SiteContext, action: keyof typeof pageActions, token: string): Promise<void> {
  if (!(await callForTruth(site, pageActions[action], token))) refuseLink();
}

/**
 * Stops all mail to the member whose letter contains the token. Works repeatedly.
 * @returns false for an unknown token
 * @throws Response 503 if the backend is unavailable
 */
export function stopMail(site: SiteContext, token: string): Promise<boolean> {
  return callForTruth(site, "unsubscribe_member", token);
}

async function callForTruth(site: SiteContext, name: string, token: string): Promise<boolean> {
  return (await callLinkFunction(site, { area: "network", name, parameters: { token }, result: z.boolean() })) ?? false;
}

const mailStateSchema = z.object({ unsubscribed_at: instant.nullable(), deleted_on: z.iso.date().nullable() });

/**
 * Reads whether mail to the member goes on whose letter contains the token. Changes nothing.
 * @returns null while it does; otherwise when it was stopped and when the membership is deleted therefore
 * @throws as {@link requireMembership}
 */
export async function requireMailState(site: SiteContext, token: string) {
  const { unsubscribed_at: at, deleted_on: deletedOn } =
    (await callWithToken(site, "network", "find_mail_state", token, mailStateSchema)) ?? refuseLink();
  return at === null || deletedOn === null ? null : { at, deletedOn };
}
