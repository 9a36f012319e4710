import { productMigrations } from "#supabase/embedded/migrations";
import { oncePer } from "~/lib/once-per";
import type { Timeouts } from "../config/timeouts.server";
import type { BackendConnection } from "./backend.server";
import { remedies } from "./calls/backend-diagnostics.server";
import type { Log } from "../observability/log.server";
import type { BackendCalls } from "./calls/reach-backend.server";

/** The result of one health probe of the backend. */
export interface BackendProbe {
  /** `refused`: it answers, but not to this key */
  backend: "reachable" | "unreachable" | "refused";
  /** whether the database is as this version needs it; which migrations it lacks is told to the operator's log */
  migrations: "applied" | "missing" | "unknown";
}

/**
 * A read that anybody may do and that changes nothing. PostgREST answers 404 as long as the migration that brings it
 * has not been applied.
 */
const probedRead = "/rest/v1/rpc/newest_migration";

const reportEveryMs = 60_000;

/** What a probe needs of its site. */
export interface ProbeDependencies {
  log: Log;
  timeouts: Timeouts;
  backend: BackendConnection;
  calls: BackendCalls;
}

/** Makes the probe of a site's backend: one cheap question of its database. It never throws. */
export function createBackendProbe({ log, timeouts, backend: connection, calls }: ProbeDependencies) {
  const shouldReport = oncePer(reportEveryMs);

  function reportMissing(missing: string[]): void {
    if (!shouldReport()) return;
    const remedy = remedies["migration-missing"];
    log.error({ event: "backend.migrations-missing", missing: missing.join(", "), remedy });
  }

  function readResponse(status: number, body: unknown): BackendProbe {
    // Null: no migration is recorded there.
    if (status === 200 && (body === null || (typeof body === "string" && /^\d{14}$/.test(body)))) {
      const missing = listMissing(body ?? "0");
      if (missing.length > 0) reportMissing(missing);
      return { backend: "reachable", migrations: missing.length > 0 ? "missing" : "applied" };
    }
    // No such function, which PostgREST's schema cache has been told by the way of all calls; or it found no record of migrations.
    const code = (body as { code?: unknown } | null)?.code;
    const isUnknown = status === 404 && (code === "PGRST202" || code === "42P01");
    return isUnknown
      ? { backend: "reachable", migrations: "missing" }
      : { backend: "unreachable", migrations: "unknown" };
  }

  return async (): Promise<BackendProbe> => {
    try {
      const backend = await connection.get();
      // By the way of all calls: a good response closes the breaker, though visitors are sent elsewhere meanwhile.
      const fetchBackend = calls.reach(backend, performance.now() + timeouts.probe);
      const response = await fetchBackend(backend.url + probedRead, { headers: { apikey: backend.publishableKey } });
      if (response.status === 401 || response.status === 403) return { backend: "refused", migrations: "unknown" };
      return readResponse(response.status, await response.json());
    } catch {
      return { backend: "unreachable", migrations: "unknown" };
    }
  };
}

/** The migrations of this very build that are newer than the database; a database may be newer than the build. */
function listMissing(newest: string): string[] {
  return Object.keys(productMigrations)
    .map((path) => path.replace(/^.*\//, "").replace(/\.sql$/, ""))
    .filter((name) => name.slice(0, newest.length) > newest)
    .toSorted();
}
