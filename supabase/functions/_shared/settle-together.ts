import type { SupabaseClient } from "@supabase/supabase-js";
import { BackendUnavailable } from "./host/backend.ts";

/** How an attempt to send a mail ended, as the database takes it. */
export interface EndedAttempt {
  mail_id: string;
  outcome: string;
  /** null where it was sent */
  error_code: string | null;
}

/**
 * Makes what tells the outbox how attempts ended: one call at a time, and whatever ends meanwhile goes along with the next.
 * @returns resolves once it is stored
 * @throws BackendUnavailable when it is not; the mail then comes back when its lease ends
 */
export function createSettlement(client: SupabaseClient): (ended: EndedAttempt) => Promise<void> {
  let next: { attempts: EndedAttempt[]; stored: Promise<void> } | null = null;
  let running: Promise<unknown> = Promise.resolve();

  function begin() {
    const attempts: EndedAttempt[] = [];
    const stored = running.then(() => {
      next = null;
      return settle(client, attempts);
    });
    running = stored.catch(() => undefined);
    return { attempts, stored };
  }

  return (ended) => {
    next ??= begin();
    next.attempts.push(ended);
    return next.stored;
  };
}

async function settle(client: SupabaseClient, attempts: EndedAttempt[]): Promise<void> {
  const { error } = await client.rpc("settle_mails", { attempts });
  if (error) throw new BackendUnavailable(error.code || "unreachable");
}
