import { setTimeout as sleep } from "node:timers/promises";
import { rejectOnAbort } from "#supabase/embedded/session/mutex";
import { throwUncaught } from "#supabase/embedded/session/sql-error";
import type { Timeouts } from "../../config/timeouts.server";
import { describeError } from "../../observability/log.server";
import { readDiskSpace } from "../disk-space.server";
import { type BackendThread, type ThreadDependencies, startBackendThread } from "./backend-thread.server";
import type { EmbeddedStart, OpenedEmbedded } from "./embedded-start.server";
import { fetchThrough } from "./fetch-messages.server";

/**
 * Starts the embedded backend in a worker thread, so that its work delays no page. A thread that crashes, or is stuck
 * and terminated, is restarted: pending calls fail, and later calls wait for the new thread. If a second thread ends
 * within ten minutes, or a restart fails, the error is thrown uncaught and ends the process. A full disk is different:
 * pages work without the database, so the thread starts once there is space, and a crash on a full disk does not count.
 * @throws MigrationFailed, AdminPasswordRefused, any other error that prevents opening, or the signal's reason
 */
export async function openInThread(
  start: EmbeddedStart,
  {
    signal,
    log,
    timeouts,
    idleThreads,
    noteRestart,
  }: ThreadDependencies & { timeouts: Pick<Timeouts, "fullDiskCheck">; noteRestart(): void },
): Promise<OpenedEmbedded> {
  let isUp = true;
  let endedAt = -Infinity;
  const closing = new AbortController();
  const first = await startWhenDiskHasSpace();
  let current = Promise.resolve(first);
  void watch(first);

  async function watch(thread: BackendThread): Promise<void> {
    const reason = await thread.ended;
    isUp = false;
    if (closing.signal.aborted) return;
    const isFull = await isDiskFull();
    const isSecondEnd = performance.now() - endedAt < secondEndMs;
    if (isSecondEnd && !isFull) return throwUncaught(reason);
    if (!isFull) endedAt = performance.now();
    const remedy = "none needed: it is restarted. If it ends again within ten minutes, the server ends too";
    log.error({ event: "embedded.thread-died", ...describeError(reason), ...(isFull ? {} : { remedy }) });
    current = startWhenDiskHasSpace();
    try {
      void watch(await current);
      isUp = true;
      log.info({ event: "embedded.thread-restarted" });
      noteRestart();
    } catch (error) {
      if (!closing.signal.aborted) throwUncaught(error);
    }
  }

  async function startWhenDiskHasSpace(): Promise<BackendThread> {
    const given = AbortSignal.any([signal, closing.signal]);
    if (await isDiskFull()) {
      const remedy = "free some space: the database then starts";
      log.error({ event: "embedded.start-waits", cause: "full-disk", remedy });
      while (await isDiskFull()) await sleep(timeouts.fullDiskCheck, undefined, { signal: given });
    }
    return startBackendThread(start, { log, timeouts, signal: given, idleThreads });
  }

  async function isDiskFull(): Promise<boolean> {
    return (await readDiskSpace(start.settings.dataDir))?.state === "full";
  }

  return {
    ...first.facts,
    isUp: () => isUp,
    async fetch(input, init) {
      const request = new Request(input, init);
      const { calls } = await rejectOnAbort(current, request.signal);
      return fetchThrough(calls, request);
    },
    pingDatabase: async () => (await current).calls.pingDatabase(),
    readOutbox: () => {
      const outbox = current.then(({ calls }) => calls.readOutbox());
      return rejectOnAbort(outbox, AbortSignal.timeout(metricsTimeoutMs));
    },
    async close() {
      closing.abort();
      const thread = await current.catch(() => null);
      await thread?.close();
    },
  };
}

/** If a second thread ends this soon, restarting does not help. */
const secondEndMs = 10 * 60 * 1000;

/** Metrics are not worth a longer wait. */
const metricsTimeoutMs = 1_000;
