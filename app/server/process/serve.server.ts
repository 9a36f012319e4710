import { setTimeout as wait } from "node:timers/promises";
import { requireFacts } from "~/content/firm/company.server";
import { findListEnd } from "~/lib/closed-days";
import { commandLine } from "~/lib/command-line";
import { withTimeout } from "~/lib/with-timeout";
import type { Backend } from "../backend/backend.server";
import { listMissingFacts } from "../config/missing-facts.server";
import { defaultTimeouts } from "../config/timeouts.server";
import { requireOwnFolder } from "../config/read-settings.server";
import type { VariableInFile } from "../config/setting-names.server";
import { type Settings, parseSettings } from "../config/settings.server";
import { createEventLoop } from "../observability/event-loop.server";
import { type Log, createLog, describeError } from "../observability/log.server";
import { logSetupWarning } from "../observability/setup-warnings.server";
import { type Site, type SiteOptions, createSite } from "../site.server";
import { sendConsoleToLog } from "./console-lines.server";
import { exitOnCrash } from "./crash.server";
import { describeStart, writesToJournal } from "./startup-banner.server";

/** Options of {@link serve}, apart from the settings. */
export interface ServeOptions extends Omit<SiteOptions, "log" | "loop"> {
  /** True in development: the console belongs to the developer. */
  keepsConsole?: boolean;
  /** Variables in the settings file. */
  namesInFile?: readonly VariableInFile[];
}

/**
 * Serves a site with this whole process: reads the settings from the environment, logs crashes and console output, and
 * stops on SIGTERM and SIGINT. Pages are served immediately, and forms wait for the backend
 * (docs/decisions/0002-own-server.md). Prints the line "Ready" when the backend is open. Resolves once the
 * pages are cached.
 * @throws SettingsError, FactsError, DataFolderInUse, DataFolderUnusable or ListenFailed, before any response
 * @throws MigrationFailed, or another error of opening the backend, before any form was accepted
 */
export async function serve({ keepsConsole = false, namesInFile, ...options }: ServeOptions): Promise<void> {
  const settings = parseSettings(process.env, namesInFile);
  requireOwnFolder(settings);
  requireFacts();
  const log = createLog();
  exitOnCrash(log);
  if (!keepsConsole) sendConsoleToLog(log);
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  // Vite compiles in the event loop, and a developer halts it.
  const loop = import.meta.env.PROD ? createEventLoop(log, timeouts) : undefined;
  const site = await createSite(settings, { ...options, log, loop });
  stopOnSignal(site, settings, log);
  warnOfMissingFacts(settings, log);
  const lastClosed = findListEnd(settings.replyClock.closed, site.context.clock.today());
  if (lastClosed !== null)
    log.warn({ event: "facts.closed-days-end", on: lastClosed, remedy: "add later days to the facts (closed)" });
  for (const warning of site.context.setupWarnings.list()) logSetupWarning(log, warning);
  const port = await listenOrClose(site, settings);
  if (loop !== undefined) {
    loop.begin();
    const { startLoopWatcher } = await import("./loop-watcher.server");
    startLoopWatcher(loop.memory, settings, timeouts, log);
  }
  const backend = await openOrClose(site);
  // Show a generated password even if the process is about to end: it is never shown again.
  if (backend === null || (site.health.isDraining() && !backend.firstAdmin)) return;
  process.stdout.write(`${describeStart(settings, port, backend.firstAdmin, writesToJournal())}\n`);
  if (!site.health.isDraining()) await site.warmUp();
}

function warnOfMissingFacts(settings: Settings, log: Log): void {
  const count = listMissingFacts(settings).length;
  const remedy = `placeholders stand on a public site: \`${commandLine("doctor --strict")}\` lists them`;
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

/** @returns null when a signal interrupts the start; its handler ends the process */
async function openOrClose(site: Site): Promise<Backend | null> {
  try {
    return await site.open();
  } catch (error) {
    if (site.health.isDraining()) return null;
    // Queued requests have already received a 503 that preserves their input.
    await site.close();
    throw error;
  }
}

/**
 * Milliseconds for closing after draining: longer than all steps together, and shorter than a container's 30 seconds.
 */
const closingMs = 28_000;

/**
 * Handles SIGTERM and SIGINT: reports draining on /readyz and keeps serving for a while, so that an orchestrator
 * notices. Then closes the site and exits, with status 1 if closing takes too long. Abandons a backend that is still
 * opening.
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
