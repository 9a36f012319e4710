// Entry file of a backend's thread that keeps its database open from one test site to the next: see ../site.ts.
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { findBuild } from "../../../bin/load-build.mjs";
import { captureRows } from "./capture-rows.mjs";
import { parkedName } from "./pooled-folder.mjs";

/**
 * @typedef {import("~/server/backend/embedded/open-embedded.server").StartBackend} StartBackend
 * @typedef {import("#supabase/embedded/embedded-backend.ts").EmbeddedBackend} EmbeddedBackend
 * @typedef {import("#supabase/embedded/embedded-backend.ts").EmbeddedBackendOptions} Options
 */

/**
 * @typedef {object} Kept
 * @property {EmbeddedBackend} backend
 * @property {Options} options of the present site
 * @property {Options["functions"]} functions of the present site
 * @property {Map<string, (() => void) | null>} listeners of the present site by channel; null once it has ended
 * @property {() => Promise<boolean>} restoreRows
 */

/**
 * The database that this thread keeps open.
 * @type {Kept | undefined}
 */
let kept;

/** Milliseconds. A call that takes longer hangs, and its database is closed. */
const graceMs = 3_000;

const { serveBackend } = await import(findBuild("backend-thread.js"));
serveBackend(parentPort, keepOpen);

/**
 * Wraps the start of a backend: closing it restores its rows, and the next start on the same folder takes it over.
 * @param {StartBackend} start
 * @returns {StartBackend}
 */
function keepOpen(start) {
  return async (options) => {
    const { dataDir } = options;
    if (kept) await rename(join(kept.options.dataDir, parkedName), join(kept.options.dataDir, "pg"));
    if (kept && kept.options.dataDir !== dataDir) {
      await kept.backend.close();
      await rm(kept.options.dataDir, { recursive: true });
      kept = undefined;
    }
    if (kept) {
      Object.assign(kept.functions, options.functions);
      kept.options = options;
    } else {
      const functions = { ...options.functions };
      const backend = await start({
        ...options,
        functions,
        log: (event) => (kept?.options ?? options).log?.(event),
        reportLongWork: (isUnderWay) => (kept?.options ?? options).reportLongWork?.(isUnderWay),
      });
      kept = {
        backend,
        options,
        functions,
        listeners: new Map(),
        restoreRows: await captureRows({
          ...backend,
          exec: async (statements) => void (await backend.sql(statements)),
        }),
      };
    }
    return lend(kept);
  };
}

/**
 * Lends the database to one site: calls after its end fail as if the database were closed.
 * @param {Kept} kept
 * @returns {EmbeddedBackend}
 */
function lend({ backend, options, listeners, restoreRows }) {
  let isOpen = true;
  /** @type {Set<Promise<unknown>>} */
  const calls = new Set();
  /**
   * @template T
   * @param {() => Promise<T>} call
   */
  const track = (call) => {
    if (!isOpen) throw new TypeError("embedded backend is closed");
    const made = call();
    const settled = Promise.allSettled([made]);
    calls.add(settled);
    void settled.then(() => calls.delete(settled));
    return made;
  };
  const close = async () => {
    const timer = new Promise((resolve) => setTimeout(resolve, graceMs, false));
    // A running function calls the backend, so new calls come until all are done.
    const settled = (async () => {
      while (calls.size > 0) await Promise.all(calls);
      return true;
    })();
    const isSettled = await Promise.race([settled, timer]);
    isOpen = false;
    for (const channel of listeners.keys()) listeners.set(channel, null);
    if (isSettled && (await restoreRows())) {
      await rename(join(options.dataDir, "pg"), join(options.dataDir, parkedName));
      return;
    }
    kept = undefined;
    await backend.close();
  };
  /** @type {Promise<void> | undefined} */
  let closing;
  return {
    ...backend,
    fetch: async (input, init) => track(() => backend.fetch(input, init)),
    sql: async (query, parameters) => track(() => backend.sql(query, parameters)),
    listen: async (channel, callback) => {
      const isNew = !listeners.has(channel);
      listeners.set(channel, callback);
      if (isNew) await backend.listen(channel, () => listeners.get(channel)?.());
    },
    close: () => (closing ??= close()),
  };
}
