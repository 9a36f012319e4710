import { takeDataFolder } from "#supabase/embedded/take-folder";
import { type EmbeddedStart, openEmbedded } from "./open-embedded.server";
import { type Settings, getSettings } from "../config/settings.server";
import { waitUntil } from "./fetch-with-timeout.server";
import { makePrivateFolder } from "../config/private-folder.server";

/** How the web tier reaches Supabase: an address, the publishable key and nothing more privileged than that. */
export interface Backend {
  url: string;
  publishableKey: string;
  fetch: typeof fetch;
  /** printed once by whoever starts the server; only where a password was generated in this very start */
  firstAdmin: { email: string; password: string } | null;
  close(): Promise<void>;
}

/** A backend that is this process's own and not there yet. */
export interface ReservedBackend {
  /**
   * Opens it; whoever asks for it meanwhile waits a little.
   * @throws MigrationFailed, or whatever else keeps it from opening; then nothing is held any more
   */
  open(): Promise<Backend>;
  /** Closes what is open, gives up what is being opened, and lets the data folder go. */
  close(): Promise<void>;
}

interface Place {
  backend: Promise<Backend>;
  isOpen: boolean;
  /** how long a request waits for it */
  patienceMs: number;
}

// On globalThis, because a development reload evaluates this module again while the data folder is still locked.
const store = globalThis as typeof globalThis & { [backendKey]?: Place };
const backendKey = Symbol.for("advisory-website.backend");

/** A visitor who sends a form while the server starts waits so long, and is then told honestly that it did not work. */
const patienceWithStartMs = 3_500;

/**
 * The backend of this process. Where no server has reserved it (development, remix-serve), the first call opens it.
 * @throws DOMException "TimeoutError" when the server is still starting after 3.5 s; nothing has been called then
 * @throws DataFolderInUse when another process holds the data folder
 */
export function getBackend(): Promise<Backend> {
  const place = (store[backendKey] ??= makePlace(openBackend(getSettings()), Infinity));
  if (place.isOpen || place.patienceMs === Infinity) return place.backend;
  return waitUntil(performance.now() + place.patienceMs, place.backend);
}

/** Whether calls reach the backend; whether a project elsewhere answers them is another question. */
export function isBackendOpen(): boolean {
  return store[backendKey]?.isOpen ?? false;
}

/**
 * Makes sure that this process may open the backend, in some milliseconds, and leaves the rest to `open`.
 * @throws DataFolderInUse when another process holds the data folder
 */
export async function reserveBackend(): Promise<ReservedBackend> {
  const settings = getSettings();
  const isEmbedded = settings.backend.kind === "embedded";
  if (isEmbedded) makePrivateFolder(settings.dataDir);
  const lock = isEmbedded ? await takeDataFolder(settings.dataDir) : undefined;
  const stopping = new AbortController();
  let begin: ((opening: Promise<Backend>) => void) | undefined;
  const backend = new Promise<Backend>((resolve) => (begin = resolve));
  store[backendKey] = makePlace(backend, patienceWithStartMs);
  let opening: Promise<Backend> | undefined;
  return {
    open: () => {
      opening ??= openBackend(settings, { lock, signal: stopping.signal });
      begin?.(opening);
      return opening;
    },
    close: async () => {
      stopping.abort();
      if (opening === undefined) return lock?.release();
      const opened = await opening.catch(() => null);
      await opened?.close();
    },
  };
}

function makePlace(backend: Promise<Backend>, patienceMs: number): Place {
  const place = { backend, isOpen: false, patienceMs };
  // Its failure is reported by whoever waits for it.
  void backend.then(() => (place.isOpen = true)).catch(() => {});
  return place;
}

async function openBackend(settings: Settings, start?: EmbeddedStart): Promise<Backend> {
  const { backend } = settings;
  if (backend.kind === "embedded") return openEmbedded({ ...settings, backend }, start);
  return { url: backend.url, publishableKey: backend.publishableKey, fetch, firstAdmin: null, close: async () => {} };
}
