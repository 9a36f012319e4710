import type { SupabaseClient } from "@supabase/supabase-js";
import { BackendUnavailable } from "../host/backend.ts";
import { inBatches } from "./in-batches.ts";

/** How an attempt to send a mail ended, as the database takes it. */
export interface EndedAttempt {
  mail_id: string;
  outcome: string;
  /** null where it was sent */
  error_code: string | null;
}

/**
 * Makes what tells the outbox how attempts ended.
 * @returns resolves once it is stored
 * @throws BackendUnavailable when it is not; the mail then comes back when its lease ends
 */
export function createSettlement(client: SupabaseClient): (ended: EndedAttempt) => Promise<void> {
  return inBatches<EndedAttempt>(async (attempts) => {
    const { error } = await client.rpc("settle_mails", { attempts });
    if (error) throw new BackendUnavailable(error.code || "unreachable");
  });
}
