import type { SignInStep } from "~/server/observability/product-metrics.server";
import type { SiteContext } from "~/server/site-context.server";
import type { CodeResult } from "../code-result";

const results = {
  right: "succeeded",
  wrong: "wrong",
  wait: "throttled",
  broken: "broken",
  "has-factor": "wrong",
} as const satisfies Record<CodeResult["result"], string>;

/** Logs and counts a sign-in attempt (OWASP ASVS 16.3.1): the step and its result, without identifying the person. */
export function recordAttempt({ log, metrics }: SiteContext, step: SignInStep, ended: CodeResult["result"]): void {
  const result = results[ended];
  metrics.countSignIn(step, result);
  log.info({ event: "sign-in.attempt", step, result });
}
