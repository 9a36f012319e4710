import { BackendUnavailable, isBackendAway, tryBackend } from "../host/backend.ts";
import { logEvent } from "../host/runtime.ts";
import { inBatches } from "./in-batches.ts";

/** Result of a delivery attempt, as the database takes it. */
export interface AttemptResult {
  mail_id: string;
  outcome: string;
  /** a code, and after a space the server's words; null when the mail was sent */
  error_code: string | null;
  /** pause until the next attempt, if the server was busy */
  wait_seconds?: number;
  /** addresses of the firm to which the mail is to be sent again, because the server took it for the others only */
  postponed?: string[];
}

/**
 * Creates a function that reports results of attempts to the outbox, in batches. A rejected result is logged and does
 * not block the others. The function resolves once the result is stored.
 * @throws BackendUnavailable when it could not be stored; the mail becomes due again when its lease expires
 */
export function createSettlement(): (result: AttemptResult) => Promise<void> {
  async function settle(attempts: AttemptResult[]): Promise<string | null> {
    const { code } = await tryBackend("settle_mails", { attempts });
    if (code !== null && isBackendAway(code)) throw new BackendUnavailable(code);
    return code;
  }
  return inBatches<AttemptResult>(async (attempts) => {
    if ((await settle(attempts)) === null) return;
    for (const attempt of attempts) {
      const code = await settle([attempt]);
      if (code !== null) logEvent({ event: "mail-not-settled", mail: attempt.mail_id, code });
    }
  });
}
