import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { type ServerBuild, createRequestHandler } from "@remix-run/node";
import { versionsOf } from "~/lib/site-version";
import type { Backend } from "./backend/backend.server";
import { startHeartbeats } from "./backend/heartbeats.server";
import { createBackendProbe } from "./backend/health-probe.server";
import { readSiteDisk } from "./backend/disk-space.server";
import { startTroubleReports } from "./backend/trouble-reports.server";
import { createCountView } from "./counting/count-view.server";
import { startCountReports } from "./counting/report-counts.server";
import type { Settings } from "./config/settings.server";
import { securityHeaders } from "./document/security-headers.server";
import { createEdge } from "./http/edge.server";
import { createHttpServer, listenOn } from "./http/http-server.server";
import { startMetricsServer } from "./http/metrics-server.server";
import type { Compression } from "./http/cached-response.server";
import { type FindVariant, createPageMemory } from "./http/page-memory.server";
import { createRefusalReport, createRequestFailures } from "./http/refusals.server";
import { type ServeFiles, createFileServer } from "./http/static-files.server";
import { createAccessLog, noAccessLog } from "./observability/access-log.server";
import { type Health, createHealth } from "./observability/health.server";
import type { EventLoop } from "./observability/event-loop.server";
import { type LineSink, describeError } from "./observability/log.server";
import type { Prometheus } from "./observability/prometheus.server";
import { createRequestRecorder } from "./observability/track-request.server";
import { type SiteContext, type SiteDependencies, createSiteContext } from "./site-context.server";

/** The whole product on one address, as production, development and tests run it. */
export interface Site {
  context: SiteContext;
  health: Health;
  /** @returns the port @throws ListenFailed */
  listen(port?: number, host?: string): Promise<number>;
  /**
   * Opens the backend. Meanwhile forms wait, and pages do not.
   * @throws MigrationFailed, or another error of opening it
   */
  open(): Promise<Backend>;
  /** Renders and caches the pages. */
  warmUp(): Promise<void>;
  /** Responds to pending requests, accepts no more, and closes the backend. */
  close(): Promise<void>;
}

/** Options of a site, apart from its settings. */
export interface SiteOptions extends Omit<SiteDependencies, "metrics"> {
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Creates the function that chooses a cached page's variant by the visitor's consent. */
  createFindVariant(site: SiteContext): FindVariant;
  /** False in development, where each request renders its page. */
  cachesPages?: boolean;
  /** Compression of cached pages; "best" by default. */
  compression?: Compression;
  /** Serves the build's files by default. */
  serveFiles?: ServeFiles;
  /** Receives one line per response; standard output by default. */
  accessLog?: LineSink;
  /** The event loop of a process that serves this site only. */
  loop?: EventLoop;
}

/**
 * Creates a site and reserves its data folder. It neither listens nor opens its backend yet.
 * @throws DataFolderInUse when another process, or another site in this one, holds the data folder
 */
export async function createSite(settings: Settings, options: SiteOptions): Promise<Site> {
  const prometheus = settings.metrics ? await loadPrometheus(options) : null;
  const context = createSiteContext(settings, { ...options, metrics: prometheus ?? undefined });
  await context.backend.reserve();
  try {
    return await assembleSite(context, options, prometheus);
  } catch (error) {
    // Release the data folder when the site cannot be created.
    await context.backend.close();
    throw error;
  }
}

/** Imports the library on demand, so that a site without METRICS_PORT does not load it. */
async function loadPrometheus({ loop }: SiteOptions): Promise<Prometheus> {
  const { createPrometheus } = await import("./observability/prometheus.server");
  return createPrometheus(loop);
}

async function assembleSite(context: SiteContext, options: SiteOptions, prometheus: Prometheus | null): Promise<Site> {
  const { settings, log, timeouts, backend, calls } = context;
  // Read the secret only after reserving the data folder: a restore may have just replaced it.
  context.secrets.session();

  const accessLog = settings.logsRequests ? createAccessLog(options.accessLog) : noAccessLog;
  const isCounted = context.secrets.site() !== null;
  const ownHost = settings.siteUrlIsExplicit ? new URL(settings.siteUrl).host : null;
  const countView = isCounted ? createCountView(context.counts, ownHost, context.insights.isPublished) : null;
  const defaultHeaders = securityHeaders(settings);
  const failures = createRequestFailures(log, context.metrics.countRequestFailure, defaultHeaders);
  const requests = createRequestRecorder(accessLog, context.metrics, countView, failures.note);
  const probe = createBackendProbe({ log, timeouts, backend, calls, setupWarnings: context.setupWarnings });
  const health = createHealth(
    { isOpen: backend.isOpen, health: calls.health, probe },
    () => readSiteDisk(settings),
    timeouts.probeReuse,
  );
  const renderPage = createRequestHandler(options.build, "production");
  const memory = createPageMemory(context, {
    cachesPages: options.cachesPages ?? true,
    render: (path, headers, extra) =>
      renderPage(new Request(settings.siteUrl + path, { headers }), { site: context, ...extra }),
    listOwnPages: context.insights.listPaths,
    findVariant: options.createFindVariant(context),
    compression: options.compression ?? "best",
    defaultHeaders,
    failures,
  });
  context.onClose(context.words.start(memory.clear));
  context.onClose(context.insights.start(memory.clear));
  const noteRefusal = createRefusalReport(log, context.metrics.countRefusal);
  const { routes } = typeof options.build === "function" ? await options.build() : options.build;
  const shared = { requests, defaultHeaders, noteRefusal };
  const listener = createEdge(context, {
    ...shared,
    failures,
    health,
    routes,
    build: options.build,
    memory,
    loop: options.loop,
    serveFiles: options.serveFiles ?? createFileServer(resolve("build/client"), resolve("public"), failures),
  });
  const { server, closeServer } = createHttpServer(context, listener, shared);
  let metricsServer: { close(): unknown } | null = null;
  const { counts, troubles, supabase, setupWarnings } = context;
  const { isOpen } = backend;
  if (isCounted) {
    const call = { supabase, log, setupWarnings, isOpen };
    context.onClose(startCountReports({ ...call, counts, everyMs: timeouts.countReport }));
    context.onClose(startTroubleReports({ ...call, settings, troubles, probe, timeouts }).stop);
  }
  const { heartbeatUrl } = settings;
  if (heartbeatUrl !== undefined) context.onClose(startHeartbeats({ heartbeatUrl, health, log, timeouts }).stop);

  async function listen(port = 0, host = "127.0.0.1"): Promise<number> {
    const versions = versionsOf(settings);
    const parts = { health, log, failures, defaultHeaders, versions };
    if (settings.metrics && prometheus) metricsServer = await startMetricsServer(settings.metrics, prometheus, parts);
    await listenOn(server, { port, host }, { port: "PORT", host: "HOST" });
    server.on("error", (error) => log.error({ event: "server.error", ...describeError(error) }));
    return (server.address() as AddressInfo).port;
  }

  return {
    context,
    health,
    listen,
    open: () => backend.open(),
    async warmUp() {
      health.reportPages("warming");
      await memory.warmUp();
      health.reportPages("warm");
      log.info({ event: "pages.warm" });
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
