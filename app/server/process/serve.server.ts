import { setTimeout as wait } from "node:timers/promises";
import { requireFacts } from "~/content/firm/company.server";
import { withTimeout } from "~/lib/with-timeout";
import type { Backend } from "../backend/backend.server";
import { countMissingFacts } from "../config/missing-facts.server";
import { requireOwnFolder } from "../config/read-settings.server";
import { type Settings, parseSettings } from "../config/settings.server";
import { type Log, createLog, describeError } from "../observability/log.server";
import { logSetupWarning } from "../observability/setup-warnings.server";
import { type Site, type SiteOptions, createSite } from "../site.server";
import { sendConsoleToLog } from "./console-lines.server";
import { endOnCrash } from "./crash.server";
import { describeStart } from "./startup-banner.server";

/** What is served, beside the settings. */
export interface ServeOptions extends Omit<SiteOptions, "log" | "consoleLines"> {
  /** in development the console belongs to the developer */
  keepsConsole?: boolean;
  /** names of variables that stand in the `.env` file */
  namesInFile?: readonly string[];
}

/**
 * Serves a site with this whole process: settings from the environment, crashes and the console in the log, an end on
 * SIGTERM and SIGINT. Pages are answered at once and forms wait for the backend (docs/decisions/server/0025-listen-first.md); the
 * line that says "Ready" is printed when it is there. The promise resolves once the pages that are kept in memory are, too.
 * @throws SettingsError, FactsError, DataFolderInUse, DataFolderUnusable or ListenFailed: then nobody has been answered
 * @throws MigrationFailed, or whatever else keeps the backend from opening: then no form has been accepted
 */
export async function serve({ keepsConsole = false, namesInFile, ...options }: ServeOptions): Promise<void> {
  const settings = parseSettings(process.env, namesInFile);
  requireOwnFolder(settings);
  requireFacts();
  const log = createLog();
  endOnCrash(log);
  const consoleLines = keepsConsole ? undefined : sendConsoleToLog(log);
  const site = await createSite(settings, { ...options, log, consoleLines });
  stopOnSignal(site, settings, log);
  warnOfMissingFacts(settings, log);
  for (const warning of site.context.setupWarnings.list()) logSetupWarning(log, warning);
  await site.prepareHome();
  const port = await listenOrClose(site, settings);
  const backend = await openOrClose(site);
  // A password that was generated is shown now or never, even if the process is about to end.
  if (backend === null || (site.health.isDraining() && !backend.firstAdmin)) return;
  process.stdout.write(`${describeStart(settings, port, backend.firstAdmin)}\n`);
  if (!site.health.isDraining()) await site.warmUp();
}

function warnOfMissingFacts(settings: Settings, log: Log): void {
  const count = countMissingFacts(settings);
  const remedy = "placeholders stand on a public site: `npm run check:content` lists them";
  if (count > 0) log.warn({ event: "facts.missing", count, remedy });
}

async function listenOrClose(site: Site, settings: Settings): Promise<number> {
  try {
    return await site.listen(settings.port, settings.host);
  } catch (error) {
    await site.close();
    throw error;
  }
}

/** @returns null when a signal has ended the start: whoever handles it ends the process as well */
async function openOrClose(site: Site): Promise<Backend | null> {
  try {
    return await site.open();
  } catch (error) {
    if (site.health.isDraining()) return null;
    // Waiting requests have already got a 503 that preserves their input.
    await site.close();
    throw error;
  }
}

/** Milliseconds for closing after draining: more than all of its steps may take together, and less than a container's 30 seconds. */
const closingMs = 28_000;

/**
 * On SIGTERM or SIGINT: says so on /readyz and goes on for a while, so that an orchestrator notices, then closes the site
 * and ends, with status 1 where closing took too long. A backend that is still being opened is given up.
 */
function stopOnSignal(site: Site, { drainSeconds }: Settings, log: Log): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    site.health.beginDraining();
    log.info({ event: "server.stopping", signal, drainSeconds });
    try {
      await wait(drainSeconds * 1000);
      await withTimeout(site.close(), closingMs, () => {
        throw new Error("Closing took too long.");
      });
      log.info({ event: "server.stopped" });
      process.exit(0);
    } catch (error) {
      log.error({ event: "server.stop-failed", ...describeError(error) });
      process.exit(1);
    }
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
