import { randomBytes } from "node:crypto";
import { requestAcknowledgement, requestNotification } from "#supabase/functions/_shared/mails/data-rights-mail.ts";
import type { DataRightsRequestType } from "#supabase/functions/_shared/data-rights-request.ts";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { newCode } from "./examples.ts";
import { setRows } from "./retention.ts";
import type { Calls, TestBackend } from "./test-backend.ts";

/** Differences from the example in a call of {@link receiveRequest}. */
export interface RequestOptions {
  type?: DataRightsRequestType;
  name?: string;
  email?: string;
  description?: string;
  quarantineReason?: string;
  /** a new client by default */
  clientCodes?: { client?: string | null; network?: string | null };
  /** acknowledgements per hour; no limit by default */
  perHour?: number | null;
}

/** A received request, with the secret tokens of its requester. */
export interface ReceivedRequest {
  id: string;
  reference: string;
  isNew: boolean;
  email: string;
  tokens: { confirm: string; status: string };
}

/** A mail to the requester, as the web tier passes it with an admin's action. */
export const sampleMail = { subject: "Your request {{reference}}", body: "We have answered. Due {{due_on}}." };

/** Takes a plain step of a request as an admin. */
export const takeStep = (admin: Calls, request_id: string, step: string, note = "Done.") =>
  admin.rpc("take_request_step", { request_id, step, note, mail: sampleMail });

/** Returns the counts of what an erasure by a request would delete. */
export async function previewErasure(admin: Calls, { id }: { id: string }) {
  const { data } = await admin.rpc("find_request", { request_id: id }).throwOnError();
  return (data as { erasure: Record<string, number> | null }).erasure;
}

/**
 * Enters a request that arrived by letter twelve days ago, as an admin.
 * @param changes of the arguments
 */
export async function enterRequest(admin: Calls, changes: Record<string, unknown> = {}) {
  const tokens = { confirm: newSecretToken(), status: newSecretToken() };
  const email = newAddress();
  const { data, error } = await admin.rpc("enter_request", {
    request: { request_type: "access", name: "Ada Lovelace", email, description: "By letter" },
    channel: "letter",
    received_on: daysAgo(12),
    is_identified: false,
    confirm_token_hash: await digestOfToken(tokens.confirm),
    status_token_hash: await digestOfToken(tokens.status),
    mail: sampleMail,
    ...changes,
  });
  return { id: data as string, email, tokens, code: error?.code };
}

/** Returns the UTC day this many days ago. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** Calls a function of the holder of a link, as a visitor, and returns its rows. */
export async function callByLink(backend: TestBackend, name: string, token: string | null, more = {}) {
  const { data } = await backend
    .client()
    .rpc(name, { token, ...more })
    .throwOnError();
  return data as Record<string, unknown>[];
}

/** Changes a request's row, as the passing of time would. */
export function setRequest(backend: TestBackend, { id }: { id: string }, assignments: string): Promise<void> {
  return setRows(backend, "public.data_rights_requests", id, assignments);
}

/** Returns a new address, because one address gets few acknowledgements a day. */
export function newAddress(): string {
  return `${randomBytes(8).toString("hex")}@example.com`;
}

/** Calls `receive_data_rights_request` as the edge function does. */
export async function callReceive(client: Calls, options: RequestOptions = {}) {
  const email = options.email ?? newAddress();
  const type = options.type ?? "access";
  const tokens = { confirm: newSecretToken(), status: newSecretToken() };
  const response = await client
    .rpc("receive_data_rights_request", {
      request: {
        request_type: type,
        name: options.name ?? "Ada Lovelace",
        email,
        description: options.description ?? "What do you hold about me?",
      },
      confirm_token_hash: await digestOfToken(tokens.confirm),
      status_token_hash: await digestOfToken(tokens.status),
      quarantine_reason: options.quarantineReason ?? null,
      mails: [
        requestAcknowledgement(email, tokens, "https://firm.example"),
        requestNotification(type, "https://firm.example"),
      ],
      client_codes: options.clientCodes ?? { client: newCode() },
      acknowledgements_per_hour: options.perHour === undefined ? 0 : options.perHour,
    })
    .single<{ reference: string; is_new: boolean }>();
  return { ...response, email, tokens };
}

/** Receives a request, by default from a new address. */
export async function receiveRequest(backend: TestBackend, options: RequestOptions = {}): Promise<ReceivedRequest> {
  const { data, error, email, tokens } = await callReceive(backend.service, options);
  if (error) throw error;
  const [row] = await backend.sql<{ id: string }>("select id from public.data_rights_requests where reference = $1", [
    data.reference,
  ]);
  return { id: row!.id, reference: data.reference, isNew: data.is_new, email, tokens };
}

/** Receives a request and confirms it by its link. */
export async function receiveConfirmed(backend: TestBackend, options: RequestOptions = {}): Promise<ReceivedRequest> {
  const request = await receiveRequest(backend, options);
  await callByLink(backend, "confirm_data_rights_request", request.tokens.confirm);
  return request;
}

/** Returns a request's database row, or undefined. */
export async function findRow(backend: TestBackend, { id }: { id: string }) {
  const [row] = await backend.sql<Record<string, unknown>>(
    "select to_jsonb(request) as request from public.data_rights_requests as request where id = $1",
    [id],
  );
  return row?.request as Record<string, unknown> | undefined;
}

/** Returns the actions in a request's log, in order. */
export async function readActions(backend: TestBackend, { id }: { id: string }): Promise<string[]> {
  const rows = await backend.sql<{ action: string }>(
    "select action from public.data_rights_events where request_id = $1 order by id",
    [id],
  );
  return rows.map((row) => row.action);
}

/** Returns a request's mails, sent or not, oldest first. */
export function readMails(backend: TestBackend, { id }: { id: string }) {
  return backend.sql<{ kind: string; recipient: string | null; subject: string; body: string }>(
    "select kind, recipient, subject, body from private.email_outbox where request_id = $1 order by created_at, kind",
    [id],
  );
}

/** Returns the kinds of a request's mails, oldest first. */
export async function readKinds(backend: TestBackend, request: { id: string }): Promise<string[]> {
  return (await readMails(backend, request)).map(({ kind }) => kind);
}
