import type { ConsentSource } from "~/lib/consent";
import type { CompletedRequest } from "./access-log.server";

/**
 * Outcome of a contact message. `quarantined`: stored, but caught by the honeypot; `failed`: the visitor saw an error.
 */
export type SubmissionOutcome = "accepted" | "quarantined" | "failed";

/** State of the outbox, which is unsent mail, and of retention. */
export interface OutboxState {
  waiting: number;
  givenUp: number;
  /** age of the oldest waiting mail; 0 if none waits */
  oldestSeconds: number;
  /** age of the last complete retention run; before the first one, the time since the start */
  retentionSeconds: number;
}

/** State of the site's automatic backups. */
export interface BackupMetrics {
  /** age of the newest good backup; null if there is none */
  ageSeconds: number | null;
  /** age of the newest copied backup; null if there is none */
  copyAgeSeconds: number | null;
  trouble: string;
}

/** Session events of the firm's people, as the authentication library names them. */
export const sessionEvents = [
  "SIGNED_IN",
  "SIGNED_OUT",
  "TOKEN_REFRESHED",
  "MFA_CHALLENGE_VERIFIED",
  "USER_UPDATED",
] as const;

/** One of the session events. */
export type SessionEvent = (typeof sessionEvents)[number];

/** Credential shown at a sign-in attempt or a confirmation. */
export type SignInStep = "password" | "code" | "recovery-code" | "setup-code";

/** Result of a sign-in attempt. `throttled`: too many attempts; `broken`: the authentication service failed. */
export type SignInResult = "succeeded" | "wrong" | "throttled" | "broken";

/**
 * Causes for closing a connection or rejecting a post at a capacity limit; `slow-bodies` arrived at less than 1 kB/s.
 */
export const capacityRefusals = [
  "connections",
  "connections-of-one-peer",
  "bodies",
  "bodies-of-one-client",
  "slow-bodies",
] as const;

/** One of the capacity causes. */
export type CapacityRefusal = (typeof capacityRefusals)[number];

/** Metrics of one site. */
export interface ProductMetrics {
  /** Counts a completed request. Its route is a pattern, so there are as many series as routes. */
  countRequest(request: Pick<CompletedRequest, "route" | "status" | "durationMs" | "prefetch">): void;
  /** Counts a valid contact message. */
  countSubmission(outcome: SubmissionOutcome): void;
  /** Counts a valid data rights request. */
  countDataRightsRequest(outcome: "accepted" | "failed"): void;
  /** Counts a decision about cookies. */
  countConsentChoice(source: ConsentSource, choice: { analytics: boolean; marketing: boolean }): void;
  /** Counts a session event. */
  countSessionEvent(event: SessionEvent): void;
  /** Counts a sign-in attempt, for each step. */
  countSignIn(step: SignInStep, result: SignInResult): void;
  /** Counts an unexpected error in a request. */
  countRequestFailure(): void;
  /** Counts a request that got 503 because too many pages were being rendered. */
  countRefusedRender(): void;
  /** Counts a connection that was closed, or a post that was rejected, at a capacity limit. */
  countCapacityRefusal(cause: CapacityRefusal): void;
  /**
   * Registers a reader of the outbox. Only the embedded backend calls it: a hosted project's outbox is not readable
   * from the web tier, so its dashboard must show that.
   */
  measureOutbox(read: () => Promise<OutboxState>): void;
  /** Registers a reader of the backups, if the site makes any. */
  measureBackups(read: () => Promise<BackupMetrics | null>): void;
  /** Registers a reader of the free bytes on the data folder's disk, if there is one. */
  measureDisk(read: () => Promise<number | null>): void;
}

/** Discards all counts: for a site without METRICS_PORT, which serves none. */
export const noMetrics: ProductMetrics = {
  countRequest: ignore,
  countSubmission: ignore,
  countDataRightsRequest: ignore,
  countConsentChoice: ignore,
  countSessionEvent: ignore,
  countSignIn: ignore,
  countRequestFailure: ignore,
  countRefusedRender: ignore,
  countCapacityRefusal: ignore,
  measureOutbox: ignore,
  measureBackups: ignore,
  measureDisk: ignore,
};

function ignore(): void {}
