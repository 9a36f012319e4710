import { setTimeout as sleep } from "node:timers/promises";
import { rejectOnAbort } from "#supabase/embedded/session/mutex";
import { throwUncaught } from "#supabase/embedded/session/sql-error";
import { describeError } from "../../observability/log.server";
import { readDiskSpace } from "../disk-space.server";
import { type BackendThread, type ThreadDependencies, startBackendThread } from "./backend-thread.server";
import type { EmbeddedStart, OpenedEmbedded } from "./embedded-start.server";
import { fetchThrough } from "./fetch-messages.server";

/**
 * Starts the embedded backend in a thread of its own, so that its work delays no page. A thread that dies, or is stuck and
 * is ended, is started again; a caller that waits for an answer gets a failed `fetch`, and later calls wait for the new
 * thread. When a second one ends within ten minutes, or does not start, the error is thrown uncaught and ends the process.
 * A database has no use for a full disk, and pages need none: it is started once there is room, and a death on a full
 * disk is not counted.
 * @throws MigrationFailed, AdminPasswordRefused, any other error that keeps it from opening, or the signal's reason
 */
export async function openInThread(
  start: EmbeddedStart,
  { signal, log, timeouts, idleThreads }: ThreadDependencies,
): Promise<OpenedEmbedded> {
  let isClosing = false;
  let isUp = true;
  let endedAt = -Infinity;
  const closing = new AbortController();
  const first = await startOnceThereIsRoom();
  let current = Promise.resolve(first);
  void watch(first);

  async function watch(thread: BackendThread): Promise<void> {
    const reason = await thread.ended;
    isUp = false;
    if (isClosing) return;
    const isFull = await isDiskFull();
    const isSecondEnd = performance.now() - endedAt < secondEndMs;
    if (isSecondEnd && !isFull) return throwUncaught(reason);
    if (!isFull) endedAt = performance.now();
    const remedy = "nothing: it is started again. If it ends again within ten minutes, the server ends as well";
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
      const figures = current.then(({ calls }) => calls.readOutbox());
      return rejectOnAbort(figures, AbortSignal.timeout(figuresMs));
    },
    async close() {
      isClosing = true;
      closing.abort();
      const thread = await current.catch(() => null);
      await thread?.close();
    },
  };
}

/** A thread that ends so soon after another shows that starting it again does not help. */
const secondEndMs = 10 * 60 * 1000;

/** How often a full disk is looked at. */
const roomCheckMs = 2_000;

/** Milliseconds: figures are not worth a longer wait. */
const figuresMs = 1_000;
