import type { Worker } from "node:worker_threads";
import { takeDataFolder } from "#supabase/embedded/folder/take-folder";
import type { FolderLock } from "#supabase/embedded/folder/lock";
import { makePrivateFolder } from "../config/private-folder.server";
import type { Secrets } from "../config/secrets.server";
import type { Settings } from "../config/settings.server";
import type { Timeouts } from "../config/timeouts.server";
import type { Log } from "../observability/log.server";
import type { OutboxState } from "../observability/product-metrics.server";
import { waitUntil } from "./calls/deadline.server";
import type { EmbeddedSettings, OpenedEmbedded } from "./embedded/embedded-start.server";

/** How the web tier reaches Supabase: an address, the publishable key and nothing more privileged than that. */
export interface Backend {
  url: string;
  publishableKey: string;
  fetch: typeof fetch;
  /** to be printed once at startup; set only where this start generated the password */
  firstAdmin: { email: string; password: string } | null;
  /** false while the embedded backend's thread, which has died, is being started again */
  isUp(): boolean;
  close(): Promise<void>;
}

/** The backend of one site, from before it is there until it is closed. */
export interface BackendConnection {
  /** whether calls reach it; whether a project elsewhere answers them is another question */
  isOpen(): boolean;
  /**
   * The backend; opened by the first call unless `reserve` was called before.
   * @param waitMs how long to wait for one that is still starting; `timeouts.backendStart` unless given
   * @throws DOMException "TimeoutError" when it is reserved and still starting after a while; nothing has been called then
   * @throws DataFolderInUse when another process holds the data folder
   */
  get(waitMs?: number): Promise<Backend>;
  /**
   * Takes the data folder for this process, within milliseconds; calls of `get` from then on wait a little for the backend.
   * @throws DataFolderInUse when another process holds the data folder
   * @throws DataFolderUnusable when this user cannot use it
   */
  reserve(): Promise<void>;
  /** @throws MigrationFailed, or whatever else keeps it from opening; then nothing is held any more */
  open(): Promise<Backend>;
  /** Closes what is open, gives up what is being opened, and lets the data folder go. */
  close(): Promise<void>;
}

/** What a connection is made of. */
export interface BackendDependencies {
  settings: Settings;
  log: Log;
  timeouts: Timeouts;
  secrets: Pick<Secrets, "site">;
  /** takes the way to measure the outbox, which only the embedded backend lets the web tier see */
  measureOutbox(read: () => Promise<OutboxState>): void;
  /** see `SiteDependencies` */
  idleThreads?: Worker[] | undefined;
}

/** Makes the connection of a site to its backend, and opens nothing yet. */
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
  // Its failure is reported by the caller that awaits it.
  void backend.then((made) => (opened = made)).catch(() => {});

  async function reserve(): Promise<void> {
    if (settings.backend.kind === "embedded") {
      lock = await takeDataFolder(settings.dataDir);
      reportFolder(makePrivateFolder(settings.dataDir), log);
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
      } finally {
        await lock?.release();
      }
    },
  };
}

function reportFolder(state: ReturnType<typeof makePrivateFolder>, log: Log): void {
  if (state === "closed")
    log.info({ event: "data-folder.closed", remedy: "nothing: DATA_DIR was open to other users of this machine" });
  if (state === "open")
    log.error({ event: "data-folder.open", remedy: "DATA_DIR is open to others: chmod 700 it as its owner" });
}

async function openBackend(dependencies: BackendDependencies, signal: AbortSignal): Promise<Backend> {
  const { backend } = dependencies.settings;
  if (backend.kind === "embedded") {
    const { measureOutbox } = dependencies;
    const embedded = await openEmbedded(dependencies, backend, signal);
    measureOutbox(embedded.readOutbox);
    return embedded;
  }
  const { url, publishableKey } = backend;
  return { url, publishableKey, fetch, firstAdmin: null, isUp: () => true, close: async () => {} };
}

/**
 * Opens the embedded backend in a thread of its own (decision 39); in development in this one, where Vite loads functions
 * anew after an edit. Its program is loaded here and no sooner: with a project elsewhere it would only take memory (25 MB),
 * and pages can be answered before it is there.
 */
async function openEmbedded(
  { settings, timeouts, log, secrets, idleThreads }: BackendDependencies,
  backend: EmbeddedSettings["backend"],
  signal: AbortSignal,
): Promise<OpenedEmbedded> {
  const { dataDir, siteUrl, mail, replyClock, acknowledgementsPerHour, sessionLimits } = settings;
  const { backupEveryMs, backupKeepDays, backupKeys, backupCopies } = settings;
  const backups = { backupEveryMs, backupKeepDays, backupKeys, backupCopies };
  const { outboxPoll, firstRetention, firstBackup, backupCheck, diskCheck } = timeouts;
  const start = {
    settings: {
      dataDir,
      ...backups,
      siteUrl,
      mail,
      replyClock,
      acknowledgementsPerHour,
      sessionLimits,
      backend,
      siteKey: secrets.site() ?? undefined,
    },
    timeouts: { outboxPoll, firstRetention, firstBackup, backupCheck, diskCheck },
  };
  if (import.meta.env.PROD) {
    const { openInThread } = await import("./embedded/open-in-thread.server");
    return openInThread(start, { log, signal, idleThreads, timeouts });
  }
  const { openEmbedded: openHere } = await import("./embedded/open-embedded.server");
  return openHere(start, log, signal);
}
