import { listProxyWarnings } from "./proxy-warnings.server";
import type { Settings } from "./settings.server";

/** A mistake in how the site is set up that keeps it running but costs something. Shown on `/admin` and in the log. */
export interface SetupWarning {
  /** name of the log event, e.g. `setup.no-mail-server` */
  event: string;
  /** one or two sentences: what was seen, and what it costs */
  text: string;
  /** where the documentation says what to do, e.g. `docs/OPERATIONS.md, Behind a proxy` */
  see: string;
}

/** Finds the mistakes that the settings alone reveal. */
export function listSetupWarnings(settings: Settings): SetupWarning[] {
  return [...listProxyWarnings(settings)];
}
