import { randomUUID } from "node:crypto";
import type { DayReport } from "~/lib/day-counts";
import { repeat } from "~/lib/repeat";
import { type CallDependencies, callFunction } from "../backend/calls/call-function.server";
import type { DayCounts } from "./day-counts.server";

/** Dependencies of the reports. */
export interface ReportDependencies extends CallDependencies {
  counts: DayCounts;
  /** returns true once the backend can be called */
  isOpen(): boolean;
  everyMs: number;
}

/** A report with an id, by which the database recognizes a repeat after a lost response. */
type IdentifiedReport = DayReport & { id: string };

/**
 * Starts periodic reports. While the backend is down, at most eight days of counts wait.
 * @returns a function that reports the remaining counts and stops
 */
export function startCountReports({ counts, isOpen, everyMs, ...site }: ReportDependencies): () => Promise<void> {
  let unsent: IdentifiedReport | null = null;

  /**
   * Reports the days counted so far. Views that arrive during a call wait for the next period; otherwise calls would
   * never end.
   */
  async function reportAll(): Promise<void> {
    if (!isOpen()) return;
    for (let left = counts.countDays() + (unsent ? 1 : 0); left > 0; left -= 1) {
      unsent ??= takeReport(counts);
      if (unsent === null || !(await send(unsent))) return;
      unsent = null;
    }
  }

  /** @returns true if the report needs no retry: it is stored, or never will be */
  async function send(report: IdentifiedReport): Promise<boolean> {
    const call = { name: "report-counts", failure: "counts.unreported", body: report };
    return (await callFunction(site, call)).outcome !== "unavailable";
  }

  const repetition = repeat(reportAll, { everyMs });
  return () => repetition.stop().then(reportAll);
}

function takeReport(counts: DayCounts): IdentifiedReport | null {
  const report = counts.take();
  return report && { ...report, id: randomUUID() };
}
