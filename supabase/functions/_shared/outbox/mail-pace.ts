import { mailTimes } from "./mail-times.ts";

/**
 * Letters to the network, or all other mail. Each has its own run, so that other mail never waits for a letter under way.
 */
export type MailLane = "letters" | "others";

/**
 * Most sessions in parallel, so that a busy server can still take other mail beside letters. A slow session gives up its
 * place but stays open, so that one slow mail holds up no other; `open` limits these as well. Writing a file is faster.
 */
const limits = {
  letters: { places: 1, open: 2, files: 25 },
  others: { places: 5, open: 20, files: 25 },
};

/** Longest pause of all mail, and the time after a busy reply in which a lane stays narrow. */
const longestPauseMs = 10 * 60_000;

/** Longest wait of one mail that a server may ask for. */
const longestWaitSeconds = 86_400;

/** Sessions of a site's mail, and the pace that its mail server allows. Times are of `performance.now()`. */
export interface Pace {
  /** sessions with a place */
  held: Record<MailLane, Set<Promise<unknown>>>;
  /** all sessions under way */
  open: Record<MailLane, Set<Promise<unknown>>>;
  /** lowered by each busy reply */
  places: number;
  pausedUntil: number;
  pauseMs: number;
  narrowUntil: number;
}

/** Creates the pace of a site that has sent nothing yet. */
export function createPace(): Pace {
  return {
    held: { letters: new Set(), others: new Set() },
    open: { letters: new Set(), others: new Set() },
    places: limits.others.places,
    pausedUntil: 0,
    pauseMs: 0,
    narrowUntil: 0,
  };
}

/** Counts the sessions that may start now. */
export function countPlaces(pace: Pace, lane: MailLane, isFiled: boolean): number {
  const { places, open, files } = limits[lane];
  if (isFiled) return files - pace.held[lane].size;
  if (performance.now() > pace.narrowUntil) pace.places = limits.others.places;
  return Math.min(Math.min(places, pace.places) - pace.held[lane].size, open - pace.open[lane].size);
}

/**
 * Makes all mail of the site pause after a busy reply, and narrows its lanes. Pauses grow until a mail is taken.
 * @param askedSeconds pause that the server asked for
 * @returns seconds that the refused mail waits
 */
export function slowDown(pace: Pace, askedSeconds: number | undefined): number {
  const now = performance.now();
  // Parallel sessions get the same reply at the same time.
  if (now >= pace.pausedUntil) pace.pauseMs = Math.max(mailTimes().busy, 2 * pace.pauseMs);
  const waitMs = askedSeconds === undefined ? Math.min(pace.pauseMs, longestPauseMs) : askedSeconds * 1_000;
  pace.places = Math.max(1, pace.places - 1);
  pace.narrowUntil = now + longestPauseMs;
  pace.pausedUntil = Math.max(pace.pausedUntil, now + Math.min(waitMs, longestPauseMs));
  return Math.min(waitMs / 1_000, longestWaitSeconds);
}
