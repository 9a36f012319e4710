import type { Settings } from "../config/settings.server";
import { type SetupWarning, listSetupWarnings } from "../config/setup-warnings.server";
import type { Log } from "./log.server";

/** The warnings of one site: those of its settings from the start on, and those that its requests reveal. */
export interface SetupWarnings {
  list(): readonly SetupWarning[];
  /** Logs a warning and keeps it for `/admin`; does nothing when one of the same event is known. */
  add(warning: SetupWarning): void;
}

/** Makes the list, with the warnings of the settings in it. Those are logged by the process that serves the site. */
export function createSetupWarnings(settings: Settings, log: Log): SetupWarnings {
  const warnings = new Map(listSetupWarnings(settings).map((warning) => [warning.event, warning]));
  return {
    list: () => [...warnings.values()],
    add(warning) {
      if (warnings.has(warning.event)) return;
      warnings.set(warning.event, warning);
      logSetupWarning(log, warning);
    },
  };
}

/** Writes a warning as one line. */
export function logSetupWarning(log: Log, { event, text, see }: SetupWarning): void {
  log.warn({ event, text, remedy: `see ${see}` });
}
