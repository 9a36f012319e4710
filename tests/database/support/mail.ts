import type { TestBackend } from "./test-backend.ts";

/** A mail of the outbox. */
export interface OutboxMail {
  id: string;
  kind: string;
  recipient: string | null;
  body: string;
}

/** A mail as a worker gets it. */
export interface ClaimedMail extends OutboxMail {
  attempts: number;
}

/** Claims due mails as a worker does. */
export async function claimMails(
  { service }: TestBackend,
  options: { batch_size?: number; letters?: boolean } = {},
): Promise<ClaimedMail[]> {
  const { data } = await service
    .rpc("claim_due_mail", { batch_size: 100, lease_seconds: 60, ...options })
    .throwOnError();
  return data;
}

/** Reports the result of a worker's attempt. */
export function settleMail(
  { service }: TestBackend,
  { id: mail_id }: { id: string },
  outcome: string,
  error_code: string | null = null,
  more: Record<string, unknown> = {},
) {
  return service.rpc("settle_mails", { attempts: [{ mail_id, outcome, error_code, ...more }] });
}

/** Lists the mails of the outbox for which a condition holds, by recipient. */
export function listMails({ sql }: TestBackend, where = "true", parameters: unknown[] = []): Promise<OutboxMail[]> {
  return sql(
    `select id, kind, recipient, body from private.email_outbox where ${where} order by recipient`,
    parameters,
  );
}

/** Makes all mails that wait due now, as the passing of time would. */
export function makeMailsDue({ exec }: TestBackend) {
  return exec("update private.email_outbox set next_attempt_at = now(), leased_until = null where line is null");
}
