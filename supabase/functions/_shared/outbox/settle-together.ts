import type { SupabaseClient } from "@supabase/supabase-js";
import { BackendUnavailable, isBackendAway } from "../host/backend.ts";
import { logEvent } from "../host/runtime.ts";
import { inBatches } from "./in-batches.ts";

/** How an attempt to send a mail ended, as the database takes it. */
export interface EndedAttempt {
  mail_id: string;
  outcome: string;
  /** null where it was sent */
  error_code: string | null;
}

/**
 * Makes what tells the outbox how attempts ended. One that it refuses is logged and holds up none of the others.
 * @returns resolves once it is stored
 * @throws BackendUnavailable when it is not; the mail then comes back when its lease ends
 */
export function createSettlement(client: SupabaseClient): (ended: EndedAttempt) => Promise<void> {
  async function settle(attempts: EndedAttempt[]): Promise<string | null> {
    const { error } = await client.rpc("settle_mails", { attempts });
    const code = error ? error.code || "unreachable" : null;
    if (code !== null && isBackendAway(code)) throw new BackendUnavailable(code);
    return code;
  }
  return inBatches<EndedAttempt>(async (attempts) => {
    if ((await settle(attempts)) === null) return;
    for (const attempt of attempts) {
      const code = await settle([attempt]);
      if (code !== null) logEvent({ event: "mail-not-settled", mail: attempt.mail_id, code });
    }
  });
}
