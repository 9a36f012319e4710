import type { ConsentDecision } from "~/lib/consent";
import { type Repetition, repeat } from "~/lib/repeat";
import { tryFunction } from "~/server/backend/calls/call-function.server";
import type { SiteContext } from "~/server/site-context.server";

/**
 * `saved`: the record and its history are in the database. `refused`: they never will be (the database found the
 * decision malformed, which a cookie that somebody edited can be). `unavailable`: not now.
 */
export type SaveOutcome = "saved" | "refused" | "unavailable";

/** A decision with the number of its record. */
export type NumberedDecision = ConsentDecision & { recordId: string };

interface Unsaved {
  decision: NumberedDecision;
  userAgent: string | null;
}

const maxWaiting = 10_000;
/** The database's limit; what browsers send is far shorter. */
const maxUserAgent = 512;

/** Records decisions in the database. */
export interface DecisionStore {
  /**
   * Records a decision, now or as soon as the database can be reached again; a repetition changes nothing
   * (the function record-consent). A failure is only logged (REQUIREMENTS 4.7).
   * @param options `retries`: false where the next visit tries again under a number of its own
   */
  save(decision: NumberedDecision, options: { userAgent: string | null; retries?: boolean }): Promise<SaveOutcome>;
  /** Gives up what waits to be recorded under this number. */
  forget(recordId: string): void;
}

/** Makes the store of a site, with nothing waiting. */
export function createDecisionStore(site: SiteContext): DecisionStore {
  const { timeouts, onClose } = site;
  /** Decisions that wait for the database, by record and time. Each is also marked in its visitor's own cookie. */
  const waiting = new Map<string, Unsaved>();
  let retrying: Repetition | undefined;
  let isClosed = false;
  // What still waits, or is being tried for the first time, comes again with its visitor's next page.
  onClose(async () => {
    isClosed = true;
    waiting.clear();
    await retrying?.stop();
  });

  /** In the order in which they were made; the first failure says that the others would fail, too. */
  async function retry(): Promise<void> {
    for (const [key, unsaved] of waiting) {
      if ((await trySaving(unsaved)) === "unavailable") break;
      waiting.delete(key);
    }
    if (waiting.size > 0) return;
    void retrying?.stop();
    retrying = undefined;
  }

  async function trySaving({ decision, userAgent }: Unsaved): Promise<SaveOutcome> {
    const body = {
      session_id: decision.recordId,
      analytics: decision.analytics,
      marketing: decision.marketing,
      consent_version: decision.version,
      text_hash: decision.textHash,
      source: decision.source,
      user_agent: userAgent,
      decided_at: decision.decidedAt,
    };
    // Refused for good: one that is tried again would hold up all others.
    const result = await tryFunction(site, { name: "record-consent", failure: "consent.unsaved", body });
    return result === "accepted" ? "saved" : result;
  }

  return {
    async save(decision, { userAgent, retries = true }) {
      const key = `${decision.recordId} ${decision.decidedAt}`;
      // It is being tried already; one more try would only make this visitor wait.
      if (waiting.has(key)) return "unavailable";
      const unsaved = { decision, userAgent: userAgent?.slice(0, maxUserAgent) ?? null };
      const outcome = await trySaving(unsaved);
      if (outcome === "unavailable" && retries && !isClosed && waiting.size < maxWaiting) {
        waiting.set(key, unsaved);
        retrying ??= repeat(retry, { everyMs: timeouts.consentRetry });
      }
      return outcome;
    },
    forget(recordId) {
      for (const [key, { decision }] of waiting) if (decision.recordId === recordId) waiting.delete(key);
    },
  };
}
