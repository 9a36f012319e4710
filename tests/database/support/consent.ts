import { createHash, randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { TestBackend } from "./test-backend.ts";

/** The parameters of `record_consent`. */
export type Decision = typeof exampleDecision & { session_id: string; decided_at: string };

/** In milliseconds. */
export const minute = 60_000;
/** In milliseconds, for a year of average length. */
export const year = 365.25 * 24 * 60 * minute;

/** Returns the ISO time this many milliseconds ago. */
export function ago(milliseconds: number): string {
  return new Date(Date.now() - milliseconds).toISOString();
}

const exampleDecision = {
  analytics: true,
  marketing: false,
  consent_version: "1.0",
  text_hash: createHash("sha256").update("We use cookies.").digest("hex"),
  source: "banner",
  user_agent: "Mozilla/5.0" as string | null,
};

/** Creates a decision, in a new session unless `differences` names one. */
export function newDecision(differences: Partial<Decision> = {}): Decision {
  return { session_id: randomBytes(16).toString("hex"), decided_at: ago(minute), ...exampleDecision, ...differences };
}

/** Returns the row of `user_consents` after a decision. */
export function recordOf(decision: Decision) {
  return {
    session_id: decision.session_id,
    analytics_consent: decision.analytics,
    marketing_consent: decision.marketing,
    functional_consent: true,
    user_agent: decision.user_agent,
    consent_version: decision.consent_version,
    updated_at: decision.decided_at,
  };
}

/** Returns the row of a decision in the history, as `readHistory` finds it. */
export function historyOf({ analytics, marketing, consent_version, text_hash, source, decided_at }: Decision) {
  const choice = { analytics_consent: analytics, marketing_consent: marketing, functional_consent: true };
  return { ...choice, consent_version, text_hash, source, decided_at, recorded_by_the_clock: true };
}

/** Helpers of the tests of consent. */
export function useConsents(backend: TestBackend) {
  return {
    /**
     * Records a decision as the function record-consent does.
     * @returns the complete decision
     */
    record: async (differences: Partial<Decision> = {}): Promise<Decision> => {
      const decision = newDecision(differences);
      const response = await backend.service.rpc("record_consent", decision);
      expect(response).toMatchObject({ data: null, error: null, status: 204 });
      return decision;
    },
    /** Returns the row of the decision's session in `user_consents`, or undefined. */
    findRecord: async ({ session_id }: Decision): Promise<ReturnType<typeof recordOf> | undefined> => {
      const query = "select * from public.user_consents where session_id = $1";
      const [row] = await backend.sql<ReturnType<typeof recordOf>>(query, [session_id]);
      return row && { ...row, updated_at: new Date(row.updated_at).toISOString() };
    },
    /** Returns the history of the decision's session, oldest first. */
    readHistory: ({ session_id }: Decision): Promise<Record<string, unknown>[]> =>
      backend.sql(
        `select analytics_consent, marketing_consent, functional_consent, consent_version, text_hash, source,
           to_char(decided_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as decided_at,
           recorded_at between now() - interval '5 minutes' and now() as recorded_by_the_clock
         from private.consent_history as history where history.session_id = $1
         order by history.decided_at, history.analytics_consent desc`,
        [session_id],
      ),
  };
}
