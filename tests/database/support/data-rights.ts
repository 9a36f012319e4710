import { randomBytes } from "node:crypto";
import { requestAcknowledgement, requestNotification } from "#supabase/functions/_shared/mails/data-rights-mail.ts";
import type { DataRightsRequestType } from "#supabase/functions/_shared/data-rights-request.ts";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { call, useAdmin } from "./admin.ts";
import { type Circumstances, describeCircumstances } from "./examples.ts";
import { readRow, setRows } from "./retention.ts";
import type { Calls, TestBackend } from "./test-backend.ts";

/** Differences from the example in a call of {@link callReceive}. */
interface RequestOptions extends Circumstances {
  type?: DataRightsRequestType;
  name?: string;
  email?: string;
  description?: string;
}

interface Stored {
  id: string;
}

/** A mail to the requester, as the web tier passes it with an admin's action. */
export const sampleMail = { subject: "Your request {{reference}}", body: "We have answered. Due {{due_on}}." };

/** Takes a plain step of a request as an admin. */
export const takeStep = (admin: Calls, request_id: string, step: string, note = "Done.") =>
  admin.rpc("take_request_step", { request_id, step, note, mail: sampleMail });

/** Returns the UTC day this many days ago. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns a new address, because one address gets few acknowledgements a day. */
export function newAddress(): string {
  return `${randomBytes(8).toString("hex")}@example.com`;
}

/** Returns the tokens of new links, and the parameters with their digests. */
export async function newLinks() {
  const tokens = { confirm: newSecretToken(), status: newSecretToken() };
  const [confirm_token_hash, status_token_hash] = await Promise.all(Object.values(tokens).map(digestOfToken));
  return { tokens, hashes: { confirm_token_hash, status_token_hash } };
}

/** Calls `receive_data_rights_request` as the edge function does. */
export async function callReceive(client: Calls, options: RequestOptions = {}) {
  const { type = "access", name = "Ada Lovelace", description = "What do you hold about me?" } = options;
  const email = options.email ?? newAddress();
  const { tokens, hashes } = await newLinks();
  const response = await client
    .rpc("receive_data_rights_request", {
      request: { request_type: type, name, email, description },
      ...hashes,
      mails: [
        requestAcknowledgement(email, tokens, "https://firm.example"),
        requestNotification(type, "https://firm.example"),
      ],
      ...describeCircumstances(options),
    })
    .single<{ reference: string; is_new: boolean }>();
  return { ...response, email, tokens };
}

/** Receives a request, by default from a new address. */
export async function receiveRequest(backend: TestBackend, options: RequestOptions = {}) {
  const { data, error, email, tokens } = await callReceive(backend.service, options);
  if (error) throw error;
  const { reference, is_new: isNew } = data;
  const row = await readRow(backend, "public.data_rights_requests", reference, "reference");
  return { id: String(row!.id), reference, isNew, email, tokens };
}

/** Receives a request and confirms it by its link. */
export async function receiveConfirmed(backend: TestBackend, options: RequestOptions = {}) {
  const request = await receiveRequest(backend, options);
  await backend.client().rpc("confirm_data_rights_request", { token: request.tokens.confirm }).throwOnError();
  return request;
}

/** Returns a request's database row, or undefined. */
export function findRow(backend: TestBackend, { id }: Stored) {
  return readRow(backend, "public.data_rights_requests", id);
}

/** Returns the actions in a request's log, in order. */
export async function readActions(backend: TestBackend, { id }: Stored): Promise<string[]> {
  const log = "select action from public.data_rights_events where request_id = $1 order by id";
  return (await backend.sql<{ action: string }>(log, [id])).map(({ action }) => action);
}

/** Returns a request's mails, sent or not, oldest first. */
export function readMails(backend: TestBackend, { id }: Stored) {
  return backend.sql<{ kind: string; recipient: string | null; subject: string; body: string }>(
    "select kind, recipient, subject, body from private.email_outbox where request_id = $1 order by created_at, kind",
    [id],
  );
}

/** Returns an admin of the backend, and what requesters, admins, the worker and time do to its requests. */
export function useRequests(backend: TestBackend) {
  const admin = useAdmin(backend);
  /** Calls a function of the holder of a link, as a visitor, and returns its rows. */
  const byLink = async (name: string, token: string | null, more = {}): Promise<Record<string, unknown>[]> =>
    (
      await backend
        .client()
        .rpc(name, { token, ...more })
        .throwOnError()
    ).data;
  const find = ({ id }: Stored) => admin.call("find_request", { request_id: id });
  return {
    admin,
    receive: (options?: RequestOptions) => receiveRequest(backend, options),
    receiveConfirmed: (options?: RequestOptions) => receiveConfirmed(backend, options),
    /** Enters a request that arrived by letter twelve days ago, as an admin. */
    enter: async (changes: Record<string, unknown> = {}) => {
      const { tokens, hashes } = await newLinks();
      const email = newAddress();
      const { data, error } = await admin.rpc("enter_request", {
        request: { request_type: "access", name: "Ada Lovelace", email, description: "By letter" },
        channel: "letter",
        received_on: daysAgo(12),
        is_identified: false,
        ...hashes,
        mail: sampleMail,
        ...changes,
      });
      return { id: data as string, email, tokens, code: error?.code };
    },
    take: (id: string, step: string, note?: string) => takeStep(admin, id, step, note),
    erase: ({ id }: Stored, more = {}) => admin.rpc("erase_subject", { request_id: id, mail: sampleMail, ...more }),
    exportSubject: ({ id }: Stored) => admin.call("export_subject_data", { request_id: id }),
    /** Returns a request as its page shows it. */
    find,
    /** Returns the counts of what an erasure by a request would delete. */
    previewErasure: async (request: Stored): Promise<Record<string, number> | null> => (await find(request)).erasure,
    // With the token of a link.
    byLink,
    confirm: (token: string | null) => byLink("confirm_data_rights_request", token),
    withdraw: (token: string | null) => byLink("withdraw_data_rights_request", token),
    findByStatus: (token: string | null) => byLink("find_data_rights_status", token),
    findByConfirm: (token: string | null) => byLink("find_data_rights_status", token, { purpose: "confirm" }),
    // Stored rows.
    set: ({ id }: Stored, assignments: string) => setRows(backend, "public.data_rights_requests", id, assignments),
    findRow: (request: Stored) => findRow(backend, request),
    readActions: (request: Stored) => readActions(backend, request),
    readMails: (request: Stored) => readMails(backend, request),
    readKinds: async (request: Stored) => (await readMails(backend, request)).map(({ kind }) => kind),
    /** Returns the reminders of a request that are due, as the worker gets them. */
    listDue: async ({ id }: Stored) => {
      const due: { request_id: string; reminder: string; recipient: string | null }[] = await call(
        backend.service,
        "list_due_reminders",
      );
      return due.filter(({ request_id }) => request_id === id);
    },
  };
}
