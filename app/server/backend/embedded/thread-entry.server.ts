import { format } from "node:util";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { startEmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { interceptConsole } from "../../observability/console-line.server";
import type { Log, LogEvent } from "../../observability/log.server";
import type { OpenedEmbedded } from "./embedded-start.server";
import { createFetchFunctions } from "./fetch-messages.server";
import { type StartBackend, openEmbedded } from "./open-embedded.server";
import { runBackup } from "./run-backup.server";
import { type SiteFunctions, type ThreadFunctions, connectThreads, toPlainError } from "./thread-calls.server";

// Entry file of the backend's thread: see `separateEntries` in vite.config.ts. A thread with data has another entry
// file, which calls the function itself.
if (parentPort && !workerData) serveBackend(parentPort);

/**
 * Serves the embedded backend to the site's thread.
 * @param wrapStart returns the function that starts a backend; tests keep one open from site to site
 */
export function serveBackend(port: MessagePort, wrapStart?: (start: StartBackend) => StartBackend): void {
  const startBackend = wrapStart?.(startEmbeddedBackend) ?? startEmbeddedBackend;
  let stopping: AbortController | undefined;
  let opened: OpenedEmbedded | undefined;

  function backend(): OpenedEmbedded {
    if (opened === undefined) throw new Error("The backend was called before it had opened.");
    return opened;
  }

  const site = connectThreads<SiteFunctions, ThreadFunctions>(port, {
    async open(start) {
      stopping = new AbortController();
      opened = await openEmbedded(start, log, stopping.signal, {
        runBackup,
        startBackend,
        reportLongWork: (isUnderWay) => void site.setLongWork.asEvent(isUnderWay),
      });
      const { url, publishableKey, firstAdmin } = opened;
      return { url, publishableKey, firstAdmin };
    },
    abortOpening: () => stopping?.abort(),
    isAlive: () => {},
    pingDatabase: () => backend().pingDatabase(),
    readOutbox: () => backend().readOutbox(),
    close: () => backend().close(),
    ...createFetchFunctions((request) => backend().fetch(request)),
  });
  const logAs = (level: keyof Log) => (event: LogEvent) => void site.log.asEvent(level, event);
  const log: Log = { info: logAs("info"), warn: logAs("warn"), error: logAs("error") };
  interceptConsole((line, written) => void site.print.asEvent(line, format(...written)));
  process.removeAllListeners("warning");
  process.on("warning", (warning) => void site.warn.asEvent(toPlainError(warning)));
}
