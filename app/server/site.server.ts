import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { type ServerBuild, createRequestHandler } from "@remix-run/node";
import type { Backend } from "./backend/backend.server";
import { createBackendProbe } from "./backend/health-probe.server";
import { readSiteDisk } from "./backend/disk-space.server";
import { createCountView } from "./counting/count-view.server";
import { startCountReports } from "./counting/report-counts.server";
import type { Settings } from "./config/settings.server";
import { securityHeaders } from "./document/security-headers.server";
import { createCacheHandler } from "./http/cache/cache-handler.server";
import type { Compression } from "./http/cache/cached-response.server";
import type { FindPageVariant } from "./http/cache/page-choice.server";
import type { TurnAway } from "./http/answer-at-once.server";
import { createRequestFailures } from "./http/edge/request-failures.server";
import { createRefusalReport } from "./http/edge/refusal-report.server";
import { createHttpServer } from "./http/http-server.server";
import { listenOn } from "./http/listen.server";
import { startMetricsServer } from "./http/metrics-server.server";
import { createRequestListener } from "./http/request-listener.server";
import { type ServeFiles, createFileCheck, createFileServer } from "./http/static-files.server";
import { createAccessLog } from "./observability/access-log.server";
import { type Health, createHealth } from "./observability/health.server";
import { type LineSink, describeError } from "./observability/log.server";
import type { Metric } from "./observability/prometheus-format.server";
import { createRequestMetrics } from "./observability/request-metrics.server";
import { createRequestRecorder } from "./observability/track-request.server";
import { type SiteContext, type SiteDependencies, createSiteContext } from "./site-context.server";

/** The whole product on one address, as production, development and tests run it. */
export interface Site {
  context: SiteContext;
  health: Health;
  /** every request's way, for whoever has a server already */
  listener: RequestListener;
  /** @returns the port @throws ListenFailed */
  listen(port?: number, host?: string): Promise<number>;
  /** Asks the site over its own socket, on a port of the system's choice unless it listens already. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /**
   * Opens the backend; forms wait for it meanwhile, and pages do not.
   * @throws MigrationFailed, or whatever else keeps it from opening
   */
  open(): Promise<Backend>;
  /** Renders the home page for memory, before anybody asks: else each of its first visitors has it rendered anew. */
  prepareHome(): Promise<void>;
  /** Renders the pages that are kept in memory. */
  warmUp(): Promise<void>;
  /** `open` and `warmUp`: all that visitors may meet is there. */
  ready(): Promise<Backend>;
  /** Answers what has come, takes nothing more, and lets the backend go. */
  close(): Promise<void>;
}

/** What a site is made of beside its settings. */
export interface SiteOptions extends SiteDependencies {
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** which pages may be answered from memory, as the site's consent decides it */
  createFindVariant(site: SiteContext): FindPageVariant;
  /** who is sent from the firm's own pages to the sign-in page before anything is rendered */
  createTurnAway(site: SiteContext): TurnAway;
  /** false in development: every page is rendered anew */
  keepsPages?: boolean;
  /** of pages that are kept; the best unless given */
  compression?: Compression;
  /** the build's own files unless given */
  serveFiles?: ServeFiles;
  /** takes the lines of answered requests; standard output unless given */
  accessLog?: LineSink;
  /** figures of the process, served beside those of the site */
  metrics?: readonly Metric[];
}

/**
 * Makes a site and takes its data folder. It neither listens nor opens its backend yet.
 * @throws DataFolderInUse when another process, or another site in this one, holds the data folder
 */
export async function createSite(settings: Settings, options: SiteOptions): Promise<Site> {
  const context = createSiteContext(settings, options);
  await context.backend.reserve();
  try {
    return await assembleSite(context, options);
  } catch (error) {
    // Whatever keeps it from being made, the data folder is free again.
    await context.backend.close();
    throw error;
  }
}

async function assembleSite(context: SiteContext, options: SiteOptions): Promise<Site> {
  const { settings, log, timeouts, backend, calls } = context;
  // After the data folder is ours: a restore may just have brought the secret.
  context.secrets.session();

  const accessLog = createAccessLog(options.accessLog);
  const requestMetrics = settings.metrics ? createRequestMetrics() : null;
  const isCounted = context.secrets.site() !== null;
  const ownHost = settings.siteUrlIsExplicit ? new URL(settings.siteUrl).host : null;
  const countView = isCounted ? createCountView(context.counts, ownHost) : null;
  const defaultHeaders = securityHeaders(settings);
  const failures = createRequestFailures({ log, count: context.metrics.countRequestFailure, defaultHeaders });
  const requests = createRequestRecorder(accessLog, requestMetrics, countView, failures.note);
  const probe = createBackendProbe({ log, timeouts, backend, calls });
  const health = createHealth({ isOpen: backend.isOpen, health: calls.health, probe }, () => readSiteDisk(settings));
  const renderPage = createRequestHandler(options.build, "production");
  const cache = createCacheHandler({
    render: (path, headers, extra) =>
      renderPage(new Request(settings.siteUrl + path, { headers }), { site: context, ...extra }),
    findVariant: options.createFindVariant(context),
    keepsPages: options.keepsPages ?? true,
    compression: options.compression ?? "best",
    defaultHeaders,
    requests,
    failures,
    metrics: context.metrics,
    today: context.clock.today,
    log,
  });
  const noteRefusal = createRefusalReport(log, context.metrics.countPlaceRefusal);
  const { routes } = typeof options.build === "function" ? await options.build() : options.build;
  const listener = createRequestListener({
    settings,
    timeouts,
    failures,
    health,
    requests,
    defaultHeaders,
    routes,
    build: options.build,
    loadContext: { site: context },
    cache,
    limits: context.limits,
    noteRefusal,
    countViolation: context.metrics.countPolicyViolation,
    turnAway: options.createTurnAway(context),
    warn: context.setupWarnings.add,
    serveFiles: options.serveFiles ?? createFileServer(resolve("build/client"), resolve("public"), failures),
    isFile: createFileCheck(resolve("public")),
  });
  const { server, closeServer } = createHttpServer(listener, {
    settings,
    timeouts,
    noteRefusal,
    clientError: { headers: defaultHeaders, requests },
  });
  let metricsServer: { close(): unknown } | null = null;
  let listening: Promise<number> | undefined;
  const { counts, supabase, setupWarnings } = context;
  const { isOpen } = backend;
  if (isCounted) {
    const everyMs = timeouts.countReport;
    context.onClose(startCountReports({ counts, supabase, log, setupWarnings, isOpen, everyMs }).close);
  }

  async function listen(port = 0, host = "127.0.0.1"): Promise<number> {
    const figures = [...(requestMetrics?.list ?? []), ...context.metrics.list, ...(options.metrics ?? [])];
    metricsServer = settings.metrics
      ? await startMetricsServer(settings.metrics, figures, { health, log, failures })
      : null;
    await listenOn(server, { port, host }, { port: "PORT", host: "HOST" });
    server.on("error", (error) => log.error({ event: "server.error", ...describeError(error) }));
    return (server.address() as AddressInfo).port;
  }

  async function warmUp(): Promise<void> {
    health.reportPages("warming");
    await cache.warmUp();
    health.reportPages("warm");
    log.info({ event: "pages.warm" });
  }

  return {
    context,
    health,
    listener,
    listen: (port, host) => (listening ??= listen(port, host)),
    async fetch(path, init) {
      const port = await (listening ??= listen());
      return fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual", ...init });
    },
    open: () => backend.open(),
    prepareHome: cache.prepareHome,
    warmUp,
    async ready() {
      const opened = await backend.open();
      await warmUp();
      return opened;
    },
    async close() {
      health.beginDraining();
      if (server.listening) await closeServer();
      metricsServer?.close();
      await context.close();
      await backend.close();
      accessLog.close();
    },
  };
}
