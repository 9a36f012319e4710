import type { Worker } from "node:worker_threads";
import { takeDataFolder } from "#supabase/embedded/folder/take-folder";
import type { FolderLock } from "#supabase/embedded/folder/lock";
import { makePrivateFolder } from "../config/private-folder.server";
import type { Secrets } from "../config/secrets.server";
import type { Settings } from "../config/settings.server";
import { listInEffect } from "../config/settings-in-effect.server";
import type { Timeouts } from "../config/timeouts.server";
import type { Log } from "../observability/log.server";
import type { ProductMetrics } from "../observability/product-metrics.server";
import { waitUntil } from "./calls/deadline.server";
import { markRun, unmarkRun } from "./run-mark.server";
import type { TroubleNotes } from "./trouble-notes.server";
import type { EmbeddedSettings, OpenedEmbedded } from "./embedded/embedded-start.server";

/** Access of the web tier to Supabase: an address and the publishable key, never a more privileged key. */
export type Backend = Omit<OpenedEmbedded, "pingDatabase" | "readOutbox">;

/** Connection of one site to its backend. It exists before the backend opens and until it closes. */
export interface BackendConnection {
  /** true once calls can be made; a hosted project may still be unreachable */
  isOpen(): boolean;
  /**
   * Returns the backend. The first call opens it, unless `reserve` was called before.
   * @param waitMs time to wait for a backend that is still starting; `timeouts.backendStart` by default
   * @throws DOMException "TimeoutError" when a reserved backend is still starting after `waitMs`; no call was made then
   * @throws DataFolderInUse when another process holds the data folder
   */
  get(waitMs?: number): Promise<Backend>;
  /**
   * Locks the data folder for this process, within milliseconds. Later calls of `get` wait briefly for the backend.
   * @throws DataFolderInUse when another process holds the data folder
   * @throws DataFolderUnusable when this user cannot use it
   */
  reserve(): Promise<void>;
  /** @throws MigrationFailed, or any other error that prevents opening; the data folder is released then */
  open(): Promise<Backend>;
  /** Closes the backend, or cancels its opening, and releases the data folder. */
  close(): Promise<void>;
}

/** Dependencies of a backend connection. */
export interface BackendDependencies {
  settings: Settings;
  log: Log;
  timeouts: Timeouts;
  secrets: Pick<Secrets, "site">;
  metrics: Pick<ProductMetrics, "measure">;
  troubles: Pick<TroubleNotes, "note">;
  /** see `SiteDependencies` */
  idleThreads?: Worker[] | undefined;
}

/** Creates the backend connection of a site without opening it. */
export function createBackendConnection(dependencies: BackendDependencies): BackendConnection {
  const { settings, log, timeouts } = dependencies;
  const stopping = new AbortController();
  let lock: FolderLock | undefined;
  let isReserved = false;
  let isOpenedOnDemand = false;
  let opened: Backend | undefined;
  let opening: Promise<Backend> | undefined;
  let begin: ((backend: Promise<Backend>) => void) | undefined;
  const backend = new Promise<Backend>((resolve) => (begin = resolve));
  // The caller that awaits it reports a failure.
  void backend.then((made) => (opened = made)).catch(() => {});

  async function reserve(): Promise<void> {
    if (settings.backend.kind === "embedded") {
      lock = await takeDataFolder(settings.dataDir);
      reportFolder(makePrivateFolder(settings.dataDir), log);
      const ending = markRun(settings.dataDir);
      if (ending !== null) dependencies.troubles.note(ending);
    }
    isReserved = true;
  }

  async function reserveAndOpen(): Promise<Backend> {
    if (!isReserved) await reserve();
    try {
      return await openBackend(dependencies, stopping.signal);
    } catch (error) {
      await lock?.release();
      throw error;
    }
  }

  function open(): Promise<Backend> {
    if (opening === undefined) {
      opening = reserveAndOpen();
      begin?.(opening);
    }
    return opening;
  }

  return {
    isOpen: () => opened?.isUp() ?? false,
    get(waitMs = timeouts.backendStart) {
      if (opened) return backend;
      isOpenedOnDemand ||= !isReserved;
      return isOpenedOnDemand ? open() : waitUntil(performance.now() + waitMs, backend);
    },
    reserve,
    open,
    async close() {
      stopping.abort();
      try {
        const backendToClose = await opening?.catch(() => null);
        await backendToClose?.close();
        if (lock) unmarkRun(settings.dataDir);
      } finally {
        await lock?.release();
      }
    },
  };
}

function reportFolder(state: ReturnType<typeof makePrivateFolder>, log: Log): void {
  if (state === "closed")
    log.info({
      event: "data-folder.closed",
      remedy: "none needed: DATA_DIR was readable by other users of this machine and is now private",
    });
  if (state === "open")
    log.error({ event: "data-folder.open", remedy: "other users can read DATA_DIR: run chmod 700 on it as its owner" });
}

async function openBackend(dependencies: BackendDependencies, signal: AbortSignal): Promise<Backend> {
  const { backend } = dependencies.settings;
  if (backend.kind === "embedded") {
    const embedded = await openEmbedded(dependencies, backend, signal);
    dependencies.metrics.measure({ outbox: embedded.readOutbox });
    return embedded;
  }
  const { url, publishableKey } = backend;
  return { url, publishableKey, fetch, firstAdmin: null, isUp: () => true, close: async () => {} };
}

/**
 * Opens the embedded backend in a worker thread (decision 4). In development it stays in this thread, where Vite
 * reloads functions after an edit. The module is imported only here: a site with a hosted project would waste 25 MB on
 * it, and pages can be served before it has loaded.
 */
async function openEmbedded(
  { settings, timeouts, log, secrets, troubles, idleThreads }: BackendDependencies,
  backend: EmbeddedSettings["backend"],
  signal: AbortSignal,
): Promise<OpenedEmbedded> {
  const start = {
    settings: { ...settings, backend, siteKey: secrets.site() ?? undefined },
    inEffect: listInEffect(settings),
    timeouts,
  };
  if (import.meta.env.PROD) {
    const { openInThread } = await import("./embedded/open-in-thread.server");
    const noteRestart = () => troubles.note("thread-ended");
    return openInThread(start, { log, signal, idleThreads, timeouts, noteRestart });
  }
  const { openEmbedded: openHere } = await import("./embedded/open-embedded.server");
  return openHere(start, log, signal);
}
