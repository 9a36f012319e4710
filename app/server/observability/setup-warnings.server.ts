import type { Settings } from "../config/settings.server";
import { type SetupWarning, listSetupWarnings } from "../config/setup-warnings.server";
import type { Log } from "./log.server";

/** Setup warnings of one site: from its settings, and from its requests. */
export type SetupWarnings = ReturnType<typeof createSetupWarnings>;

/** Creates the list with the warnings of the settings; the process that serves the site logs those. */
export function createSetupWarnings(settings: Settings, log: Log) {
  const warnings = new Map(listSetupWarnings(settings).map((warning) => [warning.event, warning]));
  return {
    list: (): readonly SetupWarning[] => [...warnings.values()],
    /** Logs a warning and stores it for `/admin`, unless there is one with the same event. */
    add(warning: SetupWarning): void {
      if (warnings.has(warning.event)) return;
      warnings.set(warning.event, warning);
      logSetupWarning(log, warning);
    },
  };
}

/** Logs a warning. */
export function logSetupWarning(log: Log, { event, text, see }: SetupWarning): void {
  log.warn({ event, text, remedy: `see ${see}` });
}
