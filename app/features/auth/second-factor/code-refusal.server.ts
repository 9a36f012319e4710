import { secondFactorPages } from "~/content/pages/second-factor";
import { formatWait } from "~/server/forms/guard.server";
import type { CodeResult } from "../code-result";

/**
 * Describes why a code was refused, with the status and headers of the page that shows it.
 * @param wrong text for a wrong code
 */
export function describeRefusal(
  refusal: Exclude<CodeResult, { result: "right" }>,
  wrong: string,
): { text: string; status: number; headers: Record<string, string> } {
  const { mistakes } = secondFactorPages;
  if (refusal.result === "wrong") return { text: wrong, status: 401, headers: {} };
  if (refusal.result === "has-factor") return { text: mistakes.hasFactor, status: 409, headers: {} };
  if (refusal.result === "broken") return { text: mistakes.broken, status: 503, headers: {} };
  const { retryAfterSeconds } = refusal;
  return {
    text: mistakes.tooMany(formatWait(retryAfterSeconds)),
    status: 429,
    headers: { "Retry-After": String(retryAfterSeconds) },
  };
}
