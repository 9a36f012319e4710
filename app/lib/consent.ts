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
  /** ISO 8601 in UTC, to the millisecond */
  decidedAt: string;
  /** random id of the record in the database */
  recordId: string;
  /** lower-case SHA-256 of the text that was shown, kept only until the decision has been recorded */
  unsavedTextHash: string | null;
}

const format =
  /^v=(\d{1,4}\.\d{1,4})&a=([01])&m=([01])&by=(banner|dialog|signal)&at=(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)&id=([\w-]{32,128})(?:&unsaved=([0-9a-f]{64}))?$/;

/** The cookie's value: readable, so that visitors can see in their browser what it says. */
export function formatDecision(decision: ConsentDecision): string {
  const { version, analytics, marketing, source, decidedAt, recordId, unsavedTextHash } = decision;
  const unsaved = unsavedTextHash === null ? "" : `&unsaved=${unsavedTextHash}`;
  return `v=${version}&a=${Number(analytics)}&m=${Number(marketing)}&by=${source}&at=${decidedAt}&id=${recordId}${unsaved}`;
}

/** @returns null for anything that this site did not write: the visitor is then asked as on a first visit */
export function parseDecision(value: string): ConsentDecision | null {
  const [, version = "", analytics, marketing, source, decidedAt = "", recordId = "", unsaved] =
    format.exec(value) ?? [];
  if (version === "" || Number.isNaN(Date.parse(decidedAt))) return null;
  return {
    version,
    analytics: analytics === "1",
    marketing: marketing === "1",
    source: source as ConsentSource,
    decidedAt,
    recordId,
    unsavedTextHash: unsaved ?? null,
  };
}

/**
 * Whether the browser asks not to be tracked: Do Not Track, or Global Privacy Control (its specification, section 3.3).
 */
export function asksNotToBeTracked(headers: HeaderReader): boolean {
  return headers.get("dnt") === "1" || headers.get("sec-gpc") === "1";
}
