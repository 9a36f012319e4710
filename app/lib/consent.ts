import type { HeaderReader } from "./http/header-reader";

/** Categories that a visitor allows. Functional cookies are always allowed (REQUIREMENTS 4.1), so they have no field. */
export interface Choice {
  analytics: boolean;
  marketing: boolean;
}

/** How a decision was made: in the banner, in the dialog, or by a browser signal. */
export type ConsentSource = "banner" | "dialog" | "signal";

/** One decision, as stored in the visitor's browser. */
export interface ConsentDecision extends Choice {
  /** version of the text that was shown */
  version: string;
  source: ConsentSource;
  /** ISO 8601 in UTC, to the millisecond; for a signal only the start of the day, which many visitors share */
  decidedAt: string;
  /** SHA-256 of the text that was shown, in lower-case hexadecimal */
  textHash: string;
  /** the browser sent Global Privacy Control when the visitor decided */
  underGpc: boolean;
  /**
   * random id of the record in the database; null for a signal, because visitors who ask not to be tracked get no id
   */
  recordId: string | null;
  /** the decision is not yet recorded */
  isUnsaved: boolean;
}

const format =
  /^v=(\d{1,4}\.\d{1,4})&a=([01])&m=([01])&by=(banner|dialog|signal)&at=(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)&text=([0-9a-f]{64})(&gpc=1)?(?:&id=([\w-]{32,128}))?(&unsaved=1)?$/;

/** Formats the cookie's value. It is readable, so that visitors can check in their browser what it says. */
export function formatDecision(decision: ConsentDecision): string {
  const { version, analytics, marketing, source, decidedAt, textHash, underGpc, recordId, isUnsaved } = decision;
  return [
    `v=${version}&a=${Number(analytics)}&m=${Number(marketing)}&by=${source}&at=${decidedAt}&text=${textHash}`,
    underGpc ? "&gpc=1" : "",
    recordId === null ? "" : `&id=${recordId}`,
    isUnsaved ? "&unsaved=1" : "",
  ].join("");
}

/**
 * Parses the cookie's value.
 * @returns null for any value that this site did not write; the visitor is then asked as on a first visit
 */
export function parseDecision(value: string): ConsentDecision | null {
  const match = value === "" ? null : format.exec(value);
  if (match === null) return null;
  // By index: destructuring the match as an array would double the cost of the search.
  const { 1: version = "", 2: analytics, 3: marketing, 4: source, 5: decidedAt = "", 6: textHash = "" } = match;
  const { 7: gpc, 8: recordId, 9: unsaved } = match;
  if (Number.isNaN(Date.parse(decidedAt))) return null;
  // Only a signal's decision has no id, and it never allows anything.
  if (source === "signal" ? analytics === "1" || marketing === "1" : recordId === undefined) return null;
  return {
    version,
    analytics: analytics === "1",
    marketing: marketing === "1",
    source: source as ConsentSource,
    decidedAt,
    textHash,
    underGpc: gpc !== undefined,
    recordId: recordId ?? null,
    isUnsaved: unsaved !== undefined,
  };
}

/** Returns true if the browser sends Global Privacy Control (its specification, section 3.3). */
export function sendsGpc(headers: HeaderReader): boolean {
  return headers.get("sec-gpc") === "1";
}

/** Returns true if the browser sends Do Not Track or Global Privacy Control. */
export function asksNotToBeTracked(headers: HeaderReader): boolean {
  return headers.get("dnt") === "1" || sendsGpc(headers);
}
