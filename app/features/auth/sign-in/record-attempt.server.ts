import type { SiteContext } from "~/server/site-context.server";
import type { CodeResult } from "../code-result";

/** Credential shown at a sign-in attempt or a confirmation. */
type SignInStep = "password" | "code" | "recovery-code" | "setup-code";

const results = {
  right: "succeeded",
  wrong: "wrong",
  wait: "throttled",
  broken: "broken",
  "has-factor": "wrong",
} as const satisfies Record<CodeResult["result"], string>;

/** Logs a sign-in attempt (OWASP ASVS 16.3.1): the step and its result, without identifying the person. */
export function recordAttempt({ log }: SiteContext, step: SignInStep, ended: CodeResult["result"]): void {
  log.info({ event: "sign-in.attempt", step, result: results[ended] });
}
