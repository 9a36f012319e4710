/** Result of checking a password or a code. */
export type CodeResult =
  | { result: "right" }
  | { result: "wrong" }
  | { result: "wait"; retryAfterSeconds: number }
  | { result: "broken" }
  /** a setup code cannot remove an active second factor */
  | { result: "has-factor" };
