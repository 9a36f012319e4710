import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { rejectOnAbort } from "#supabase/embedded/session/mutex";
import { type Log, describeError } from "../../observability/log.server";
import { readMachineHealth } from "../machine-health.server";
import { startBackendThread, type BackendThread } from "./backend-thread.server";
import type { EmbeddedStart, OpenedEmbedded } from "./embedded-start.server";
import { responseFrom, toRequestMessage } from "./fetch-messages.server";

/**
 * Starts the embedded backend in a thread of its own, so that its work delays no page. A thread that dies afterwards is
 * started again, once; whoever waited for an answer gets a failed `fetch`, and later calls wait for the new thread. When
 * that one dies as well, or does not start, the error is thrown where nobody catches it. A database has no use for a full
 * disk, and pages need none: it is started once there is room, and a death on a full disk is not counted.
 * @param idleThreads see `SiteDependencies`
 * @throws MigrationFailed, AdminPasswordRefused, whatever else keeps it from opening, or the signal's reason
 */
export async function openInThread(
  start: EmbeddedStart,
  log: Log,
  signal: AbortSignal,
  idleThreads?: Worker[],
): Promise<OpenedEmbedded> {
  let isClosing = false;
  let isUp = true;
  let restarted = false;
  const closing = new AbortController();
  const first = await startOnceThereIsRoom();
  let current = Promise.resolve(first);
  void watch(first);

  async function watch(thread: BackendThread): Promise<void> {
    const reason = await thread.ended;
    isUp = false;
    if (isClosing) return;
    const isFull = await isDiskFull();
    if (restarted && !isFull) return throwUncaught(reason);
    restarted ||= !isFull;
    const remedy = "nothing: it is started again. If it ends once more, the server ends as well";
    log.error({ event: "embedded.thread-died", ...describeError(reason), ...(isFull ? {} : { remedy }) });
    current = startOnceThereIsRoom();
    try {
      void watch(await current);
      isUp = true;
      log.info({ event: "embedded.thread-restarted" });
    } catch (error) {
      if (!isClosing) throwUncaught(error);
    }
  }

  async function startOnceThereIsRoom(): Promise<BackendThread> {
    const given = AbortSignal.any([signal, closing.signal]);
    if (await isDiskFull()) {
      const remedy = "free some space: the database is started then";
      log.error({ event: "embedded.waits-for-disk", remedy });
      while (await isDiskFull()) await sleep(roomCheckMs, undefined, { signal: given });
    }
    return startBackendThread(start, log, signal, idleThreads);
  }

  async function isDiskFull(): Promise<boolean> {
    const health = await readMachineHealth({ backend: { kind: "embedded" }, dataDir: start.settings.dataDir });
    return health?.disk === "full";
  }

  return {
    ...first.facts,
    isUp: () => isUp,
    async fetch(input, init) {
      const request = new Request(input, init);
      const thread = await rejectOnAbort(current, request.signal);
      return responseFrom(await thread.call("fetch", await toRequestMessage(request), request.signal));
    },
    readOutbox: async () => (await current).call("readOutbox", undefined),
    async close() {
      isClosing = true;
      closing.abort();
      const thread = await current.catch(() => null);
      await thread?.close();
    },
  };
}

/** How often a full disk is looked at. */
const roomCheckMs = 2_000;

/** Ends the process, as an error in this thread would that nobody caught. */
function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
