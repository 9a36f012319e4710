import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import type { Site, SiteOptions } from "~/server/site.server";
import type { Settings } from "~/server/config/settings.server";
import { parseSettings } from "~/server/config/settings.server";
import type { Timeouts } from "~/server/config/timeouts.server";
import { createLog } from "~/server/observability/log.server";
import { takePooledThread } from "./pool/site-threads";
import { type RunningSite, testAdmin, testSettings } from "./product";
import { makeSiteFolder } from "./site-folder";
import { testTimeouts } from "./test-timeouts";

/**
 * Each site opens its database in its own thread. While the process holds the compiled module, V8 shares its compiled
 * and optimized code with every thread.
 */
const postgres = readFile("node_modules/@electric-sql/pglite/dist/pglite.wasm").then((bytes) =>
  WebAssembly.compile(new Uint8Array(bytes)),
);

/** Threads of stopped sites with folders of their own. The next one reuses a thread, which has loaded its program. */
const idleThreads: Worker[] = [];

/** The built site inside the test's own process. */
export interface TestSite extends RunningSite {
  /** stops it without losing accepted requests */
  stop(): Promise<void>;
}

/** Differences from production beside the settings. */
export interface TestSiteOptions {
  /** an existing folder; by default one of a site that was set up and has the test admin's account */
  dataDir?: string;
  /**
   * A folder and a database that no other site has had. For tests that look below the site once it has stopped. By
   * default the site may take over an open database from a stopped one, which saves half a second.
   */
  own?: boolean;
  /** milliseconds since 1970 for the site's calendar; the system clock by default */
  now?: () => number;
  /** shorter timeouts, for tests that must not wait as long as production */
  timeouts?: Partial<Timeouts>;
  /** loads all pages into memory first, as production does within seconds of its start; otherwise on first request */
  isWarm?: boolean;
}

/**
 * Starts the built site on its own port and folder, ready for visitors. Same as `startProduct` except for the parts
 * that belong to a process: console, signals and exit.
 * @param settings environment variables as an operator would set them
 */
export async function startSite(
  settings: Record<string, string> = {},
  { dataDir, own = false, now, timeouts, isWarm = false }: TestSiteOptions = {},
): Promise<TestSite> {
  await postgres;
  const parsed = parseSettings(testSettings(dataDir ?? "unused", settings));
  const isPooled = !own && dataDir === undefined && parsed.backend.kind === "embedded";
  const thread = isPooled ? await takePooledThread(openingKey(parsed)) : null;
  const folder = thread?.folder ?? dataDir ?? (await makeSiteFolder());
  const threads = thread ? [thread.worker] : idleThreads;
  const build = await loadBuild();
  let printed = "";
  const sink = { write: (text: string) => void (printed += text) };
  const site = await build.entry.module.createSite(
    { ...parsed, dataDir: folder },
    {
      build,
      timeouts: testTimeouts(settings, timeouts),
      log: createLog(sink, sink),
      accessLog: sink,
      compression: "quick",
      idleThreads: threads,
      now,
    },
  );
  const port = await site.listen();
  await site.open();
  if (isWarm) await site.warmUp();
  return {
    url: `http://localhost:${port}`,
    dataDir: folder,
    output: () => printed,
    stop: async () => {
      await site.close();
      if (thread && threads.includes(thread.worker)) thread.giveBack();
    },
  };
}

/** All settings that decide how a database is opened. The other settings are new with each site. */
function openingKey({ siteUrl, backend, mail, sessionLimits }: Settings): string {
  return JSON.stringify([siteUrl, backend, mail.firmName, sessionLimits]);
}

export { testAdmin };

/** The exports of `build/server/index.js` that tests use. */
type Build = Exclude<SiteOptions["build"], () => unknown> & {
  entry: {
    module: {
      createSite(settings: Settings, options: Omit<SiteOptions, "createFindVariant">): Promise<Site>;
    };
  };
};

/** Loads the build with Node's own loader, not Vitest's, so that it runs the same code as production. */
function loadBuild(): Promise<Build> {
  return import(/* @vite-ignore */ pathToFileURL("build/server/index.js").href) as Promise<Build>;
}
