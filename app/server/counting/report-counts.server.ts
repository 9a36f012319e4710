import { randomUUID } from "node:crypto";
import type { DayReport } from "~/lib/day-counts";
import { repeat } from "~/lib/repeat";
import { type CallDependencies, tryFunction } from "../backend/calls/call-function.server";
import type { DayCounts } from "./day-counts.server";

/** Puts counts into the database. */
export interface CountReports {
  /** Reports what is left, and no more. */
  close(): Promise<void>;
}

/** What the reports are made of. */
export interface ReportDependencies extends CallDependencies {
  counts: DayCounts;
  /** whether the backend can be called at all */
  isOpen(): boolean;
  everyMs: number;
}

/** A report with its number, by which the database knows one that comes again after its answer was lost. */
type NumberedReport = DayReport & { id: string };

/** Begins to report by the clock. While the backend is away the counts wait, those of eight days at most. */
export function startCountReports({ counts, isOpen, everyMs, ...site }: ReportDependencies) {
  let unsent: NumberedReport | null = null;

  /** Reports the days counted so far. Views that arrive during a call wait for the next period, or calls would never end. */
  async function reportAll(): Promise<void> {
    if (!isOpen()) return;
    for (let left = counts.countDays() + (unsent ? 1 : 0); left > 0; left -= 1) {
      unsent ??= takeNumbered(counts);
      if (unsent === null || !(await send(unsent))) return;
      unsent = null;
    }
  }

  /** @returns whether the report is done with: it is kept, or never will be */
  async function send(report: NumberedReport): Promise<boolean> {
    const call = { name: "report-counts", failure: "counts.unreported", body: report };
    return (await tryFunction(site, call)) !== "unavailable";
  }

  const repetition = repeat(reportAll, { everyMs });
  return {
    close: () => repetition.stop().then(reportAll),
  } satisfies CountReports;
}

function takeNumbered(counts: DayCounts): NumberedReport | null {
  const report = counts.take();
  return report && { ...report, id: randomUUID() };
}
