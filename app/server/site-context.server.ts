import type { Worker } from "node:worker_threads";
import { type LocalClock, createLocalClock } from "~/lib/local-clock";
import { withTimeout } from "~/lib/with-timeout";
import { type BackendConnection, createBackendConnection } from "./backend/backend.server";
import { readBackupHealth } from "./backend/backup-health.server";
import { type TroubleNotes, countRefusals, createTroubleNotes } from "./backend/trouble-notes.server";
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
import { type Insights, createInsights } from "./own-texts/insights.server";
import { digestTexts } from "./own-texts/texts-digest.server";
import { createWords } from "./own-texts/words.server";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** the site that this request belongs to; absent under stock `remix-serve` (`getSite`) */
    site?: SiteContext;
  }
}

/**
 * The parts of one site for loaders and actions. All per-site state lives here; features add theirs with `feature()`.
 */
export interface SiteContext {
  readonly settings: Settings;
  readonly timeouts: Timeouts;
  readonly log: Log;
  readonly setupWarnings: SetupWarnings;
  readonly secrets: Secrets;
  readonly cookies: Cookies;
  readonly notices: Notices;
  readonly backend: BackendConnection;
  /** for calls to the backend without a supabase-js client */
  readonly calls: BackendCalls;
  readonly supabase: SupabaseClients;
  readonly limits: RateLimits;
  readonly metrics: ProductMetrics;
  /** the firm's calendar, in `TIME_ZONE` */
  readonly clock: LocalClock;
  /** daily counts that are not in the database yet */
  readonly counts: DayCounts;
  /** trouble that is not reported yet */
  readonly troubles: TroubleNotes;
  /** the firm's own words on its pages */
  readonly words: ReturnType<typeof createWords>;
  readonly insights: Insights;
  /** @returns the same digits on every server with the same facts, words and published articles */
  digestTexts(): string;
  /**
   * Returns a feature's state for this site, created at its first use.
   * @param create must be the same function each time: it is the key
   */
  feature<Part>(create: (site: SiteContext) => Part): Part;
  /** Adds work for when the site closes. It runs after the last response, while the backend is still open. */
  onClose(work: () => Promise<void>): void;
  /** Runs the work added with `onClose`, and waits two seconds at most. */
  close(): Promise<void>;
}

const closeTimeoutMs = 2_000;

/** Dependencies of a site, apart from its settings. The defaults are production's. */
export interface SiteDependencies {
  log?: Log;
  timeouts?: Partial<Timeouts>;
  /** count nothing by default */
  metrics?: ProductMetrics;
  /**
   * Worker threads of closed backends, for the next site with the same list. By default, each thread ends with its
   * backend. A process that opens many sites, as tests do, then need not load and compile the same code for each.
   */
  idleThreads?: Worker[];
  /** milliseconds since 1970; the system clock by default */
  now?: () => number;
}

/** Creates the parts of a site. Opens, reads and writes nothing yet. */
export function createSiteContext(settings: Settings, dependencies: SiteDependencies = {}): SiteContext {
  const log = dependencies.log ?? createLog();
  const timeouts = { ...defaultTimeouts, ...dependencies.timeouts };
  const secrets = createSecrets(settings);
  const cookies = createCookies(settings);
  const clock = createLocalClock(settings.replyClock.timeZone, dependencies.now);
  const troubles = createTroubleNotes();
  const metrics = countRefusals(dependencies.metrics ?? noMetrics, troubles);
  metrics.measure({
    async backupAge() {
      const health = await readBackupHealth(settings);
      return health?.ageSeconds ?? health?.lackedSeconds;
    },
    freeBytes: async () => (await readSiteDisk(settings))?.freeBytes ?? null,
  });
  const backend = createBackendConnection({
    settings,
    log,
    timeouts,
    secrets,
    metrics,
    troubles,
    idleThreads: dependencies.idleThreads,
  });
  const calls = createBackendCalls({ settings, secrets, log, timeouts });
  const supabase = createSupabaseClients({ backend, calls, cookies, timeouts, log });
  const features = new Map<unknown, unknown>();
  const closeTasks: (() => Promise<void>)[] = [];
  const site: SiteContext = {
    settings,
    timeouts,
    setupWarnings: createSetupWarnings(settings, log),
    log,
    secrets,
    cookies,
    notices: createNotices(secrets, settings),
    backend,
    calls,
    supabase,
    limits: createRateLimits(settings),
    metrics,
    clock,
    counts: createDayCounts(clock.today),
    troubles,
    words: createWords({ settings, log, timeouts }),
    insights: createInsights({ settings, log, timeouts, clock }),
    digestTexts: () => digestTexts(site.insights.list()),
    feature<Part>(create: (context: SiteContext) => Part): Part {
      let part = features.get(create) as Part | undefined;
      if (part === undefined) features.set(create, (part = create(site)));
      return part;
    },
    onClose: (work) => void closeTasks.push(work),
    async close() {
      await withTimeout(Promise.all(closeTasks.map((work) => work())), closeTimeoutMs, () => undefined);
    },
  };
  return site;
}
