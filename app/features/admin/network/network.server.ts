import { z } from "zod";
import {
  networkCheckSizes,
  networkFields,
  networkKinds,
  networkQualifications,
} from "#supabase/functions/_shared/network-fields";
import { type AdminClient, type AdminResult, callAdmin, readAdmin } from "../shared/admin-call.server";
import { listedMailSchema } from "../delivery/delivery.server";
import { type NetworkQuery, memberStates } from "./network-filters";

/** Members on a page of the list. */
export const membersPerPage = 25;

const rowSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  company: z.string(),
  kind: z.enum(networkKinds).nullable(),
  fields: z.array(z.enum(networkFields)),
  check_size: z.enum(networkCheckSizes).nullable(),
  place: z.string().nullable(),
  state: z.enum(memberStates),
  asked_at: z.string(),
  /** when the person confirmed their address first */
  confirmed_at: z.string().nullable(),
  decided_at: z.string().nullable(),
});

const listedSchema = rowSchema.extend({
  /** when the newest email was given up */
  undelivered_at: z.string().nullable(),
  /** why */
  refusal: z.string().nullable(),
  /** when the member stopped all mail; the membership is deleted seven days later */
  unsubscribed_at: z.string().nullable(),
  /** true while the newest link waits for the hourly limit */
  link_waits: z.boolean(),
});

/** A member in the list. */
export type MemberRow = z.output<typeof listedSchema>;

const listSchema = z.object({
  members: z.array(listedSchema),
  /** members that match the filters */
  total: z.int(),
  counts: z.object({
    asked: z.int(),
    confirmed: z.int(),
    admitted: z.int(),
    declined: z.int(),
    /** members who left. Nothing else about them is stored */
    left: z.int(),
  }),
});

/** A page of members, with the number of members in each state. */
export type MemberList = z.output<typeof listSchema>;

/** Details that a later request with the same address would change. */
const pendingSchema = rowSchema
  .pick({ name: true, company: true, kind: true, fields: true, check_size: true, place: true })
  .extend({ qualification: z.enum(networkQualifications).nullable() })
  .partial();

const memberSchema = rowSchema.extend({
  qualification: z.enum(networkQualifications).nullable(),
  /** when the person last said yes */
  renewed_at: z.string().nullable(),
  renewal_asked_at: z.string().nullable(),
  reminded_at: z.string().nullable(),
  /** since when the mailbox refuses mail, and the code of the reason */
  paused_at: z.string().nullable(),
  pause_reason: z.string().nullable(),
  /** when the member stopped all mail; the membership is deleted seven days later */
  unsubscribed_at: z.string().nullable(),
  /** true unless the member stopped all mail */
  may_get_link: z.boolean(),
  pending: pendingSchema.nullable(),
  /** digest of the words that the person agreed to */
  consent_text_hash: z.string(),
  consent_policy_version: z.string(),
  /** increases with each change */
  version: z.int(),
  events: z.array(
    z.object({
      id: z.int(),
      at: z.string(),
      actor_kind: z.enum(["member", "admin", "system"]),
      /** name and address of the admin, or the address alone */
      actor: z.string().nullable(),
      action: z.string(),
      note: z.string().nullable(),
    }),
  ),
  mails: z.array(listedMailSchema),
  messages: z.array(z.object({ id: z.string(), created_at: z.string() })),
});

/** A member with their log, emails, and messages from the same address. */
export type Member = z.output<typeof memberSchema>;

/** Reads a page of members, newest first. */
export function listMembers(
  client: AdminClient,
  query: NetworkQuery,
  search: string | null,
): Promise<AdminResult<MemberList>> {
  const place = { page: String(query.page), page_size: String(membersPerPage) };
  return readAdmin(client, "list_network_members", { ...toFilters(query, search), ...place }, listSchema);
}

/** Finds one member. `data` is null if there is none, or its use is restricted. */
export function findMember(client: AdminClient, id: string): Promise<AdminResult<Member | null>> {
  return readAdmin(client, "find_network_member", { member_id: id }, memberSchema.nullable());
}

const exportedSchema = z.array(
  rowSchema.extend(memberSchema.pick({ qualification: true, renewed_at: true, paused_at: true }).shape),
);

/** A member in the downloaded file. */
export type ExportedMember = z.output<typeof exportedSchema>[number];

/** Reads all members that match the filters, except those who stopped all mail. The database logs the export and the admin. */
export function exportMembers(
  client: AdminClient,
  query: NetworkQuery,
  search: string | null,
): Promise<AdminResult<ExportedMember[]>> {
  return callAdmin(client, "export_network_members", toFilters(query, search), exportedSchema);
}

/** Builds the filters of the database functions. One that is left out matches every member. */
function toFilters({ state, kind, field }: NetworkQuery, search: string | null): Record<string, string | undefined> {
  return { state, kind: kind ?? undefined, field: field ?? undefined, search: search ?? undefined };
}
