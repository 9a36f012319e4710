import type { ReportedEvent } from "#supabase/functions/_shared/trouble";
import type { ProductMetrics } from "../observability/product-metrics.server";

/** Trouble that a process of the site notices while it works, for the next report. */
export interface TroubleNotes {
  /** Notes an event until it is reported. */
  note(event: ReportedEvent): void;
  /** Calls the function after each noted event. */
  onEvent(callback: () => void): void;
  listEvents(): ReportedEvent[];
  /** Removes events that were reported. */
  removeEvents(events: readonly ReportedEvent[]): void;
  /** Counts a visit that a limit refused. */
  countRefusal(): void;
  /** Returns true if more than 50 visits were refused within ten minutes, for the next ten minutes. */
  areRefusalsMany(): boolean;
}

const windowMs = 10 * 60 * 1000;
const manyRefusals = 50;

/** Creates the notes of one site. */
export function createTroubleNotes(): TroubleNotes {
  const events = new Set<ReportedEvent>();
  let callback: (() => void) | undefined;
  let refusals = 0;
  let windowBegan = -Infinity;
  let manyAt = -Infinity;
  return {
    note(event) {
      events.add(event);
      callback?.();
    },
    onEvent: (listener) => void (callback = listener),
    listEvents: () => [...events],
    removeEvents: (reported) => reported.forEach((event) => events.delete(event)),
    countRefusal() {
      const now = performance.now();
      if (now - windowBegan > windowMs) {
        windowBegan = now;
        refusals = 0;
      }
      refusals += 1;
      if (refusals > manyRefusals) manyAt = now;
    },
    areRefusalsMany: () => performance.now() - manyAt < windowMs,
  };
}

/** Adds the count of refused visits to the metrics: responses with 429, and pages that a busy server did not render. */
export function countRefusals(metrics: ProductMetrics, { countRefusal }: Pick<TroubleNotes, "countRefusal">) {
  return {
    ...metrics,
    countRequest(request) {
      metrics.countRequest(request);
      if (request.status !== 429) return;
      countRefusal();
      metrics.countRefusal("client-limit");
    },
    countRefusal(cause) {
      if (cause === "renders") countRefusal();
      metrics.countRefusal(cause);
    },
  } satisfies ProductMetrics;
}
