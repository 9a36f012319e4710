import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import type { Site, SiteOptions } from "~/server/site.server";
import type { Settings } from "~/server/config/settings.server";
import { parseSettings } from "~/server/config/settings.server";
import type { Timeouts } from "~/server/config/timeouts.server";
import { createLog } from "~/server/observability/log.server";
import { type RunningSite, testAdmin, testSettings } from "./product";
import { makeSiteFolder } from "./site-folder";

/**
 * Each site opens its database in a thread of its own. As long as somebody in the process holds the program, V8 gives every
 * thread what has been compiled and made fast before.
 */
const postgres = readFile("node_modules/@electric-sql/pglite/dist/pglite.wasm").then((bytes) =>
  WebAssembly.compile(new Uint8Array(bytes)),
);

/** The next site takes the thread of one that was stopped, which has loaded and compiled its program. */
const idleThreads: Worker[] = [];

/** The built site, inside the test's own process. */
export interface TestSite extends RunningSite {
  /** ends it without losing what was accepted */
  stop(): Promise<void>;
}

/** What may differ from production, beside the settings. */
export interface TestSiteOptions {
  /** a folder that exists; else one of a site that was set up and has the test admin's account */
  dataDir?: string;
  /** how long it waits for others, where a test must not wait as long */
  timeouts?: Partial<Timeouts>;
  /** with all pages in memory, as production is some seconds after its start; else they come there when they are asked for */
  isWarm?: boolean;
}

/**
 * Starts the built site on a port and a folder of its own, ready for visitors. It is what `startProduct` starts, but for
 * what belongs to a process: its console, its signals and its end.
 * @param settings variables as an operator would set them
 */
export async function startSite(
  settings: Record<string, string> = {},
  { dataDir, timeouts, isWarm = false }: TestSiteOptions = {},
): Promise<TestSite> {
  const folder = dataDir ?? (await makeSiteFolder());
  await postgres;
  const build = await loadBuild();
  let printed = "";
  const sink = { write: (text: string) => void (printed += text) };
  const site = await build.entry.module.createSite(parseSettings(testSettings(folder, settings)), {
    build,
    timeouts: { ...hasty, ...(settings.SUPABASE_URL === undefined ? patient : {}), ...timeouts },
    log: createLog(sink, sink),
    accessLog: sink,
    compression: "quick",
    idleThreads,
  });
  const port = await site.listen();
  await (isWarm ? site.ready() : site.open());
  return {
    url: `http://localhost:${port}`,
    dataDir: folder,
    output: () => printed,
    stop: () => site.close(),
  };
}

/** A client that goes, and mail that waits, are noticed sooner than visitors need; tests of one's patience give their own. */
const hasty: Partial<Timeouts> = { lastRequest: 20, outboxPoll: 300, accountAnswer: 20, slowedSignIn: 20 };

/**
 * A machine that has other work is slow, and the site then says so (503). That is not what a test of its own database is
 * about; where another's hangs, production's timeouts are.
 */
const patient: Partial<Timeouts> = { backendCall: 60_000, session: 60_000, renderQueue: 60_000, consentRecord: 60_000 };

export { testAdmin };

/** What `build/server/index.js` exports, as far as it is used here. */
type Build = Exclude<SiteOptions["build"], () => unknown> & {
  entry: {
    module: {
      createSite(settings: Settings, options: Omit<SiteOptions, "createFindVariant">): Promise<Site>;
    };
  };
};

/** The build is loaded as Node loads it, not as a test: production serves the same bytes. */
function loadBuild(): Promise<Build> {
  return import(/* @vite-ignore */ pathToFileURL("build/server/index.js").href) as Promise<Build>;
}
