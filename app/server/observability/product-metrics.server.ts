import type { ConsentSource } from "~/lib/consent";
import type { CompletedRequest } from "./access-log.server";

/** `quarantined`: kept, but caught in the honeypot; `failed`: the visitor was told so. */
export type SubmissionOutcome = "accepted" | "quarantined" | "failed";

/** Mail that has not been sent yet. */
export interface OutboxState {
  waiting: number;
  givenUp: number;
  /** how long the oldest mail has been waiting; 0 when none is */
  oldestSeconds: number;
}

/** The backups that the site makes by itself. */
export interface BackupMetrics {
  /** of the newest good one; null where there is none */
  ageSeconds: number | null;
  /** of the newest that was copied elsewhere; null where there is none */
  copyAgeSeconds: number | null;
  trouble: string;
}

/** What happens to sessions of the firm's people, in the authentication library's words. */
export const sessionEvents = [
  "SIGNED_IN",
  "SIGNED_OUT",
  "TOKEN_REFRESHED",
  "MFA_CHALLENGE_VERIFIED",
  "USER_UPDATED",
] as const;

/** Which. */
export type SessionEvent = (typeof sessionEvents)[number];

/** Credential shown at a sign-in attempt or a confirmation. */
export type SignInStep = "password" | "code" | "recovery-code" | "setup-code";

/** `throttled`: there were too many tries; `broken`: the authentication service could not say. */
export type SignInResult = "succeeded" | "wrong" | "throttled" | "broken";

/** Causes for closing a connection or refusing a post, where others need the place; `slow-bodies` came at less than 1 kB/s. */
export const capacityRefusals = [
  "connections",
  "connections-of-one-peer",
  "bodies",
  "bodies-of-one-client",
  "slow-bodies",
] as const;

/** One of them. */
export type PlaceRefusal = (typeof capacityRefusals)[number];

/** Figures of what one site does for its visitors. */
export interface ProductMetrics {
  /** Counts one answered request. There are as many series as routes, which are patterns. */
  countRequest(request: Pick<CompletedRequest, "route" | "status" | "durationMs" | "prefetch">): void;
  /** Counts one contact message that was valid. */
  countSubmission(outcome: SubmissionOutcome): void;
  /** Counts one data rights request that was valid. */
  countDataRightsRequest(outcome: "accepted" | "failed"): void;
  /** Counts one choice about cookies. */
  countConsentChoice(source: ConsentSource, choice: { analytics: boolean; marketing: boolean }): void;
  /** Counts one event of a session. */
  countSessionEvent(event: SessionEvent): void;
  /** Counts one try to sign in, step by step. */
  countSignIn(step: SignInStep, result: SignInResult): void;
  /** Counts one error that the code of a request did not expect. */
  countRequestFailure(): void;
  /** Counts one request that was answered with 503 because too many pages were being rendered. */
  countRefusedRender(): void;
  /** Counts one connection that was closed, or one post that was refused, because others need the place. */
  countPlaceRefusal(cause: PlaceRefusal): void;
  /** Counts one thing that the content security policy kept out of a page, as a browser reports it. */
  countPolicyViolation(directive: string): void;
  /**
   * Lets the outbox be measured: called by who may see it, which is the embedded backend. A hosted project keeps its
   * outbox from the web tier; there its own dashboard has to be asked.
   */
  measureOutbox(read: () => Promise<OutboxState>): void;
  /** Lets the backups be measured, where the site makes any. */
  measureBackups(read: () => Promise<BackupMetrics | null>): void;
  /** Lets the free bytes of the data folder's disk be measured, where there is one. */
  measureDisk(read: () => Promise<number | null>): void;
}

/** Counts nothing: the figures of a site without METRICS_PORT, which serves none. */
export const noMetrics: ProductMetrics = {
  countRequest: ignore,
  countSubmission: ignore,
  countDataRightsRequest: ignore,
  countConsentChoice: ignore,
  countSessionEvent: ignore,
  countSignIn: ignore,
  countRequestFailure: ignore,
  countRefusedRender: ignore,
  countPlaceRefusal: ignore,
  countPolicyViolation: ignore,
  measureOutbox: ignore,
  measureBackups: ignore,
  measureDisk: ignore,
};

function ignore(): void {}
