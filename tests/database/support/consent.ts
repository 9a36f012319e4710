import { createHash, randomBytes } from "node:crypto";

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
