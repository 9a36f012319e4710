import { productMigrations } from "#supabase/embedded/migrations";
import { oncePer } from "~/lib/once-per";
import type { Timeouts } from "../config/timeouts.server";
import type { BackendConnection } from "./backend.server";
import { backendFaults } from "./calls/backend-diagnostics.server";
import { runtimeWarnings } from "../config/setup-warnings.server";
import type { BackendProbe } from "../observability/health.server";
import type { SetupWarnings } from "../observability/setup-warnings.server";
import type { Log } from "../observability/log.server";
import type { BackendCalls } from "./calls/reach-backend.server";

/** A read that everyone may make. PostgREST returns 404 until its migration has been applied. */
const probedRead = "/rest/v1/rpc/newest_migration";

const reportEveryMs = 60_000;

/** Dependencies of a backend probe. */
export interface ProbeDependencies {
  log: Log;
  timeouts: Timeouts;
  backend: BackendConnection;
  calls: BackendCalls;
  setupWarnings: Pick<SetupWarnings, "add">;
}

/** Creates the probe of a site's backend: one cheap database query. It never throws. */
export function createBackendProbe(dependencies: ProbeDependencies) {
  const { log, timeouts, backend: connection, calls, setupWarnings } = dependencies;
  const shouldReport = oncePer(reportEveryMs);

  function reportMissing(missing: string[]): void {
    if (!shouldReport()) return;
    const remedy = backendFaults["migration-missing"].remedy;
    log.error({ event: "backend.migrations-missing", missing: missing.join(", "), remedy });
  }

  function readResponse(status: number, body: unknown): BackendProbe {
    // Null: the database has no record of any migration.
    if (status === 200 && (body === null || (typeof body === "string" && /^\d{14}$/.test(body)))) {
      const { missing, isNewer } = compareMigrations(body ?? "0");
      if (missing.length > 0) reportMissing(missing);
      if (isNewer) setupWarnings.add(runtimeWarnings.newerDatabase);
      return { backend: "reachable", migrations: missing.length > 0 ? "missing" : "applied" };
    }
    // The function is missing from PostgREST's schema cache (PGRST202), or the table of migrations is missing (42P01).
    const code = (body as { code?: unknown } | null)?.code;
    const isUnknown = status === 404 && (code === "PGRST202" || code === "42P01");
    return isUnknown
      ? { backend: "reachable", migrations: "missing" }
      : { backend: "unreachable", migrations: "unknown" };
  }

  return async (): Promise<BackendProbe> => {
    try {
      const backend = await connection.get();
      // Uses the same path as all calls: a good response closes the breaker, even while a balancer sends visitors
      // elsewhere.
      const fetchBackend = calls.reach(backend, performance.now() + timeouts.probe);
      const response = await fetchBackend(backend.url + probedRead, { headers: { apikey: backend.publishableKey } });
      if (response.status === 401 || response.status === 403) return { backend: "refused", migrations: "unknown" };
      return readResponse(response.status, await response.json());
    } catch {
      return { backend: "unreachable", migrations: "unknown" };
    }
  };
}

/**
 * Compares the database's newest migration with this build.
 * @returns `missing`: this build's migrations that are newer. `isNewer`: a later version of this program applied its own;
 *   migrations only add, so this one goes on
 */
export function compareMigrations(newest: string): { missing: string[]; isNewer: boolean } {
  const names = Object.keys(productMigrations).map((path) => path.replace(/^.*\//, "").replace(/\.sql$/, ""));
  const version = (name: string) => name.slice(0, newest.length);
  return {
    missing: names.filter((name) => version(name) > newest).toSorted(),
    isNewer: names.every((name) => version(name) < newest),
  };
}
