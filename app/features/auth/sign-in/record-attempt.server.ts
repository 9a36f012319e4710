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

/** Logs and counts one try to sign in (OWASP ASVS 16.3.1): what was shown and how it ended, and nothing about whose it was. */
export function recordAttempt({ log, metrics }: SiteContext, step: SignInStep, ended: CodeResult["result"]): void {
  const result = results[ended];
  metrics.countSignIn(step, result);
  log.info({ event: "sign-in.attempt", step, result });
}
