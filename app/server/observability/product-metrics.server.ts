import type { CompletedRequest } from "./access-log.server";

/** Age of the oldest unsent mail and of retention, in seconds. */
export interface OutboxState {
  /** age of the oldest waiting mail; 0 if none waits */
  oldestSeconds: number;
  /** age of the last complete retention run; before the first one, the time since the start */
  retentionSeconds: number;
}

/** Readers of what is measured at each scrape. A hosted project's outbox is not readable from the web tier. */
export interface StateReaders {
  outbox(): Promise<OutboxState>;
  /**
   * reads the age of the newest good backup in seconds; while there is none, the time since the first ready start; null
   * if unknown
   */
  backupAge(): Promise<number | null | undefined>;
  /** reads the free bytes on the data folder's disk; null if there is none */
  freeBytes(): Promise<number | null>;
}

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

/** Causes for refusing a visit: the capacity causes, a limit per client (429), and too many renders at once (503). */
export const refusals = [...capacityRefusals, "client-limit", "renders"] as const;

/** Metrics of one site. */
export interface ProductMetrics {
  /** Counts a completed request. Its route is a pattern, so there are as many series as routes. */
  countRequest(request: Pick<CompletedRequest, "route" | "status" | "durationMs">): void;
  /** Counts an unexpected error in a request. */
  countRequestFailure(): void;
  /** Counts a connection that was closed, or a request that was rejected, at a limit. */
  countRefusal(cause: (typeof refusals)[number]): void;
  /** Adds readers. */
  measure(readers: Partial<StateReaders>): void;
}

/** Discards all counts: for a site without METRICS_PORT, which serves none. */
export const noMetrics: ProductMetrics = {
  countRequest: ignore,
  countRequestFailure: ignore,
  countRefusal: ignore,
  measure: ignore,
};

function ignore(): void {}
