import { format } from "node:util";
import { type MessagePort, parentPort } from "node:worker_threads";
import { interceptConsole } from "../../observability/console-line.server";
import type { Log, LogEvent } from "../../observability/log.server";
import type { OpenedEmbedded } from "./embedded-start.server";
import { requestFrom, toResponseMessage } from "./fetch-messages.server";
import { openEmbedded } from "./open-embedded.server";
import { toPlainError } from "./plain-error.server";
import { answerCalls } from "./port-calls.server";
import { runBackup } from "./run-backup.server";
import type { ThreadFunctions, ThreadReport } from "./thread-protocol.server";

// The file that a thread is started with: see `backendThread` in vite.config.ts.
if (parentPort) serveBackend(parentPort);

function serveBackend(port: MessagePort): void {
  const report = (what: ThreadReport) => port.postMessage(what);
  const reportAs = (level: keyof Log) => (event: LogEvent) => report({ report: "log", level, event });
  const log: Log = { info: reportAs("info"), warn: reportAs("warn"), error: reportAs("error") };
  let stopping: AbortController | undefined;
  let opened: OpenedEmbedded | undefined;
  interceptConsole((line, written) => report({ report: "console", line, words: format(...written) }));
  process.removeAllListeners("warning");
  process.on("warning", (warning) => report({ report: "warning", warning: toPlainError(warning) }));

  function backend(): OpenedEmbedded {
    if (opened === undefined) throw new Error("The backend was called before it was there.");
    return opened;
  }

  const functions: ThreadFunctions = {
    async open(start) {
      stopping = new AbortController();
      opened = await openEmbedded(start, log, stopping.signal, {
        runBackup,
        reportLongWork: (isUnderWay) => report({ report: "longWork", isUnderWay }),
      });
      const { url, publishableKey, firstAdmin } = opened;
      return { url, publishableKey, firstAdmin };
    },
    giveUp: async () => stopping?.abort(),
    isAlive: async () => {},
    askDatabase: () => backend().askDatabase(),
    fetch: async (message, signal) => toResponseMessage(await backend().fetch(requestFrom(message, signal))),
    readOutbox: () => backend().readOutbox(),
    close: () => backend().close(),
  };
  answerCalls(port, functions);
}
