import type { Worker } from "node:worker_threads";
import { type LocalClock, createLocalClock } from "~/lib/local-clock";
import { withTimeout } from "~/lib/with-timeout";
import { type BackendConnection, createBackendConnection } from "./backend/backend.server";
import { readBackupHealth } from "./backend/backup-health.server";
import { readSiteDisk } from "./backend/disk-space.server";
import { type BackendCalls, createBackendCalls } from "./backend/calls/reach-backend.server";
import { type SupabaseClients, createSupabaseClients } from "./backend/supabase-clients.server";
import { type DayCounts, createDayCounts } from "./counting/day-counts.server";
import { type Secrets, createSecrets } from "./config/secrets.server";
import type { Settings } from "./config/settings.server";
import { type Timeouts, defaultTimeouts } from "./config/timeouts.server";
import { type Cookies, createCookies } from "./cookies/cookies.server";
import { type RateLimits, createRateLimits } from "./limits/rate-limit.server";
import { type Notices, createNotices } from "./notices.server";
import { type Log, createLog } from "./observability/log.server";
import { type ProductMetrics, noMetrics } from "./observability/product-metrics.server";
import { type SetupWarnings, createSetupWarnings } from "./observability/setup-warnings.server";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** the site that this request belongs to; absent under stock `remix-serve` (`getSite`) */
    site?: SiteContext;
  }
}

/** The parts of one site that loaders and actions work with. Whatever keeps state is one of them, or hangs on `feature`. */
export interface SiteContext {
  readonly settings: Settings;
  readonly timeouts: Timeouts;
  readonly log: Log;
  readonly setupWarnings: SetupWarnings;
  readonly secrets: Secrets;
  readonly cookies: Cookies;
  readonly notices: Notices;
  readonly backend: BackendConnection;
  /** for those who call the backend without a client of the library's */
  readonly calls: BackendCalls;
  readonly supabase: SupabaseClients;
  readonly limits: RateLimits;
  readonly metrics: ProductMetrics;
  /** the firm's calendar, in `TIME_ZONE` */
  readonly clock: LocalClock;
  /** what is counted by the day, until it is in the database */
  readonly counts: DayCounts;
  /**
   * What a feature keeps for this site, made at its first use.
   * @param create the same function each time: it names what is wanted
   */
  feature<Part>(create: (site: SiteContext) => Part): Part;
  /** What is still to be done when the site closes: its last requests are answered, and the backend is still there. */
  onClose(work: () => Promise<void>): void;
  /** Does all of it, and waits two seconds at most. */
  close(): Promise<void>;
}

const lastWaitMs = 2_000;

/** What a site is made of beside its settings; what is left out is production's. */
export interface SiteDependencies {
  log?: Log;
  timeouts?: Partial<Timeouts>;
  /** count nothing unless given */
  metrics?: ProductMetrics;
  /**
   * Keeps the threads of closed backends, for the next site that is given the same list; unless given, each ends with its
   * backend. A process that opens one site after the other, as tests do, need not load and compile the same for each.
   */
  idleThreads?: Worker[];
  /** milliseconds since 1970; the system's clock unless given */
  now?: () => number;
}

/** Makes the parts of a site. Nothing is opened, read or written yet. */
export function createSiteContext(settings: Settings, dependencies: SiteDependencies = {}): SiteContext {
  const log = dependencies.log ?? createLog();
  const timeouts = { ...defaultTimeouts, ...dependencies.timeouts };
  const secrets = createSecrets(settings);
  const cookies = createCookies(settings);
  const metrics = dependencies.metrics ?? noMetrics;
  const { measureOutbox } = metrics;
  metrics.measureBackups(() => readBackupHealth(settings));
  metrics.measureDisk(async () => (await readSiteDisk(settings))?.freeBytes ?? null);
  const backend = createBackendConnection({
    settings,
    log,
    timeouts,
    secrets,
    measureOutbox,
    idleThreads: dependencies.idleThreads,
  });
  const calls = createBackendCalls({ settings, secrets, log, timeouts });
  const supabase = createSupabaseClients({ backend, calls, cookies, timeouts, log, metrics });
  const features = new Map<unknown, unknown>();
  const lastWork: (() => Promise<void>)[] = [];
  const site: SiteContext = {
    settings,
    timeouts,
    setupWarnings: createSetupWarnings(settings, log),
    log,
    secrets,
    cookies,
    notices: createNotices(secrets),
    backend,
    calls,
    supabase,
    limits: createRateLimits(settings),
    metrics,
    clock: createLocalClock(settings.replyClock.timeZone, dependencies.now),
    counts: createDayCounts(settings.replyClock.timeZone),
    feature<Part>(create: (context: SiteContext) => Part): Part {
      let part = features.get(create) as Part | undefined;
      if (part === undefined) features.set(create, (part = create(site)));
      return part;
    },
    onClose: (work) => void lastWork.push(work),
    async close() {
      await withTimeout(Promise.all(lastWork.map((work) => work())), lastWaitMs, () => undefined);
    },
  };
  return site;
}
