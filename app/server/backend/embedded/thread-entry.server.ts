import { format } from "node:util";
import { type MessagePort, parentPort } from "node:worker_threads";
import { interceptConsole } from "../../observability/console-line.server";
import type { Log, LogEvent } from "../../observability/log.server";
import type { OpenedEmbedded } from "./embedded-start.server";
import { createFetchFunctions } from "./fetch-messages.server";
import { openEmbedded } from "./open-embedded.server";
import { runBackup } from "./run-backup.server";
import { type SiteFunctions, type ThreadFunctions, connectThreads, toPlainError } from "./thread-calls.server";

// Entry file of the backend's thread: see `backendThread` in vite.config.ts.
if (parentPort) serveBackend(parentPort);

function serveBackend(port: MessagePort): void {
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
