import type { ReportedState } from "#supabase/functions/_shared/trouble";
import { type Repetition, repeat } from "~/lib/repeat";
import type { Settings } from "../config/settings.server";
import type { Timeouts } from "../config/timeouts.server";
import type { BackendProbe } from "../observability/health.server";
import { describeError } from "../observability/log.server";
import { readBackupHealth } from "./backup-health.server";
import { type CallDependencies, callFunction } from "./calls/call-function.server";
import { readBackupsDisk, readSiteDisk } from "./disk-space.server";
import type { TroubleNotes } from "./trouble-notes.server";

/** Dependencies of the reports. */
export interface TroubleReportDependencies extends CallDependencies {
  settings: Settings;
  troubles: TroubleNotes;
  probe(): Promise<BackendProbe>;
  /** returns true once the backend can be called */
  isOpen(): boolean;
  timeouts: Pick<Timeouts, "firstTroubleReport" | "troubleReport">;
}

/** Checks between two reports of the same: the database ends a state that was not reported for half an hour. */
const checksPerReport = 10;

/**
 * Starts the reports of trouble to the database, about which deliver-outbox mails the firm. Reports changes and events,
 * and otherwise each tenth check. A report has causes only.
 */
export function startTroubleReports(dependencies: TroubleReportDependencies): Pick<Repetition, "stop"> {
  const { settings, troubles, probe, isOpen, timeouts, ...site } = dependencies;
  const { firstTroubleReport: firstAfterMs, troubleReport: everyMs } = timeouts;
  // The first report ends states that only an earlier process reported.
  let reported: string | null = null;
  let reportedAt = performance.now();
  let running = Promise.resolve();

  async function report(): Promise<void> {
    if (!isOpen()) return;
    const events = troubles.listEvents();
    const states = await listStates({ settings, troubles, probe });
    const isKnown = states.join() === reported && performance.now() - reportedAt < checksPerReport * everyMs;
    if (isKnown && events.length === 0) return;
    reportedAt = performance.now();
    const call = { name: "report-trouble", failure: "trouble.unreported", body: { causes: [...states, ...events] } };
    if ((await callFunction(site, call)).outcome !== "accepted") return;
    troubles.removeEvents(events);
    reported = states.join();
  }

  const reportInTurn = () =>
    (running = running.then(report).catch((error: unknown) => {
      site.log.error({ event: "trouble.unreported", ...describeError(error) });
    }));
  troubles.onEvent(() => void reportInTurn());
  return repeat(reportInTurn, { firstAfterMs, everyMs });
}

async function listStates({
  settings,
  troubles,
  probe,
}: Pick<TroubleReportDependencies, "settings" | "troubles" | "probe">): Promise<ReportedState[]> {
  const isHosted = settings.backend.kind === "hosted";
  const [backups, ...disks] = await Promise.all([
    readBackupHealth(settings),
    readSiteDisk(settings),
    isHosted ? null : readBackupsDisk(settings.dataDir),
  ]);
  return [
    ...(backups?.troubles ?? []),
    ...(disks.some((disk) => disk !== null && disk.state !== "ok") ? ["disk-low" as const] : []),
    ...(troubles.areRefusalsMany() ? ["limits-refused" as const] : []),
    ...(isHosted && (await probe()).migrations === "missing" ? ["database-behind" as const] : []),
  ];
}
