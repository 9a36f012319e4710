import type { HeaderReader } from "./http/header-reader";

/** What a visitor allows. Functional cookies are always allowed (REQUIREMENTS 4.1), so nothing says so here. */
export interface Choice {
  analytics: boolean;
  marketing: boolean;
}

/** Where a decision was made: in the banner, in the dialog, or by the browser's own signal. */
export type ConsentSource = "banner" | "dialog" | "signal";

/** One decision, as the visitor's browser keeps it. */
export interface ConsentDecision extends Choice {
  /** of the text that was shown */
  version: string;
  source: ConsentSource;
  /** ISO 8601 in UTC, to the millisecond; of a signal the day alone, which many share */
  decidedAt: string;
  /** lower-case SHA-256 of the text that was shown */
  textHash: string;
  /** the browser sent Global Privacy Control when its owner chose */
  underGpc: boolean;
  /** random id of the record in the database; null where a signal decided: whoever asks not to be tracked gets no number */
  recordId: string | null;
  /** the decision has yet to be recorded */
  isUnsaved: boolean;
}

const format =
  /^v=(\d{1,4}\.\d{1,4})&a=([01])&m=([01])&by=(banner|dialog|signal)&at=(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)&text=([0-9a-f]{64})(&gpc=1)?(?:&id=([\w-]{32,128}))?(&unsaved=1)?$/;

/** The cookie's value: readable, so that visitors can see in their browser what it says. */
export function formatDecision(decision: ConsentDecision): string {
  const { version, analytics, marketing, source, decidedAt, textHash, underGpc, recordId, isUnsaved } = decision;
  return [
    `v=${version}&a=${Number(analytics)}&m=${Number(marketing)}&by=${source}&at=${decidedAt}&text=${textHash}`,
    underGpc ? "&gpc=1" : "",
    recordId === null ? "" : `&id=${recordId}`,
    isUnsaved ? "&unsaved=1" : "",
  ].join("");
}

/** @returns null for anything that this site did not write: the visitor is then asked as on a first visit */
export function parseDecision(value: string): ConsentDecision | null {
  const found = value === "" ? null : format.exec(value);
  if (found === null) return null;
  // By place, as the format has them: taken apart like a list, they would cost as much again as finding them.
  const { 1: version = "", 2: analytics, 3: marketing, 4: source, 5: decidedAt = "", 6: textHash = "" } = found;
  const { 7: gpc, 8: recordId, 9: unsaved } = found;
  if (Number.isNaN(Date.parse(decidedAt))) return null;
  // Only a signal decides without a number, and it never allows anything.
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

/** Whether the browser sends Global Privacy Control (its specification, section 3.3). */
export function sendsGpc(headers: HeaderReader): boolean {
  return headers.get("sec-gpc") === "1";
}

/** Whether the browser asks not to be tracked: Do Not Track, or Global Privacy Control. */
export function asksNotToBeTracked(headers: HeaderReader): boolean {
  return headers.get("dnt") === "1" || sendsGpc(headers);
}
