/** Result of showing a password or a code. */
export type CodeResult =
  | { result: "right" }
  | { result: "wrong" }
  | { result: "wait"; retryAfterSeconds: number }
  | { result: "broken" }
  /** a setup code of somebody whose factor is on: it takes none away */
  | { result: "has-factor" };
