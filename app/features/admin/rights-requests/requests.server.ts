import { z } from "zod";
import { dataRightsFormTypes } from "#supabase/functions/_shared/data-rights-request";
import { type AdminClient, callAdmin, readAdmin, readList } from "../shared/admin-call.server";
import { listedMailSchema } from "../delivery/delivery.server";
import { type RequestFilter, requestFilters } from "../shared/filters";
import { pageSchema } from "../inbox/submissions.server";
import { type CorrectableField, correctableFields } from "./correctable-fields";

const rowSchema = z.object({
  id: z.string(),
  reference: z.string(),
  request_type: z.enum(dataRightsFormTypes),
  name: z.string(),
  email: z.string(),
  description: z.string(),
  state: z.enum(["unconfirmed", "open", "in_progress", "completed", "refused", "withdrawn"]),
  received_at: z.string(),
  /** ISO date */
  due_on: z.string(),
  extension_reason: z.string().nullable(),
  confirmed_at: z.string().nullable(),
  closed_at: z.string().nullable(),
  frozen_at: z.string().nullable(),
  /** ISO date of the announced end */
  restriction_ends_on: z.string().nullable(),
  quarantine_reason: z.string().nullable(),
  is_overdue: z.boolean(),
  /** set while the reply counts as not delivered */
  undelivered_at: z.string().nullable(),
  /** why it was not delivered, a code of the outbox */
  refusal: z.string().nullable(),
  /** true while its own mail waits for the hourly limit */
  link_waits: z.boolean(),
  /** corrected address for email about the request, else null */
  mail_to: z.string().nullable(),
  /** increases with each change */
  version: z.int(),
});

const messageSchema = z.object({
  ...(Object.fromEntries(correctableFields.map((name) => [name, z.string()])) as Record<CorrectableField, z.ZodString>),
  id: z.string(),
  created_at: z.string(),
  version: z.int(),
});

const membershipSchema = z.object({
  id: z.string(),
  name: z.string(),
  company: z.string(),
  place: z.string().nullable(),
  version: z.int(),
});

const requestSchema = rowSchema.extend({
  events: z.array(
    z.object({
      at: z.string(),
      actor_kind: z.enum(["requester", "admin", "system"]),
      /** name and address of the admin, or the address alone */
      actor: z.string().nullable(),
      action: z.string(),
      note: z.string().nullable(),
    }),
  ),
  mails: z.array(listedMailSchema.extend({ recipient: z.string().nullable() })),
  confirmation_expires_at: z.string().nullable(),
  /** steps that are possible now; the database checks again when one is taken */
  steps: z.array(z.string()),
  /** number of records that an erasure would delete, by kind, and of `mentions`, texts that stay; else null */
  erasure: z.record(z.string(), z.number()).nullable(),
  /** the requester's messages, newest first, if they may be corrected */
  messages: z.array(messageSchema).nullable(),
  /** the requester's membership of the network, if there is one and it may be corrected */
  membership: membershipSchema.nullable(),
});

/** One request in the list. */
export type RequestRow = z.output<typeof rowSchema>;

/** One request with its history and emails. */
export type DataRightsRequestRecord = z.output<typeof requestSchema>;

/** A message from the requester, with its correctable fields. */
export type CorrectableMessage = z.output<typeof messageSchema>;

/** The requester's membership of the network, with its correctable fields. */
export type CorrectableMembership = z.output<typeof membershipSchema>;

const countsSchema = z.object(
  Object.fromEntries([...requestFilters, "overdue"].map((name) => [name, z.number()])) as Record<
    RequestFilter | "overdue",
    z.ZodNumber
  >,
);

/** Reads 25 requests (overdue first, then the nearest due date, closed ones last), and counts those of each filter. */
export function readRequests(
  client: AdminClient,
  place: { filter: RequestFilter; search: string | null; cursor: string | null },
) {
  return readList(client, "read_requests", place, z.object({ page: pageSchema(rowSchema), counts: countsSchema }));
}

/** Finds one request, even if its data is restricted. `data` is null if it does not exist. */
export function findRequest(client: AdminClient, id: string) {
  return readAdmin(client, "find_request", { request_id: id }, requestSchema.nullable());
}

/** Exports all data stored under the requester's address as JSON. The database logs the export. */
export function exportSubjectData(client: AdminClient, id: string) {
  return callAdmin(client, "export_subject_data", { request_id: id }, z.record(z.string(), z.unknown()));
}
