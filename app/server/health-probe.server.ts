import { productMigrations } from "#supabase/embedded/migrations";
import { oncePer } from "~/lib/once-per";
import { getBackend } from "./backend.server";
import { remedies } from "./backend-trouble.server";
import { logProblem } from "./log.server";
import { reachBackend } from "./reach-backend.server";
import { getSettings } from "./settings.server";

/** What one question to the backend tells. */
export interface BackendProbe {
  /** `refused`: it answers, but not to this key */
  backend: "reachable" | "unreachable" | "refused";
  /** whether the database is as this version needs it; which migrations it lacks is told to the operator's log */
  migrations: "applied" | "missing" | "unknown";
}

/** Shorter than the second that orchestrators wait for a probe by default. */
const patienceMs = 800;

/**
 * A read that anybody may do and that changes nothing. PostgREST answers 404 as long as the migration that brings it
 * has not been applied.
 */
const probedRead = "/rest/v1/rpc/newest_migration";

/** Asks the backend one cheap question. Never throws. The embedded one has applied its migrations before it is there. */
export async function probeBackend(): Promise<BackendProbe> {
  if (getSettings().backend.kind === "embedded") return { backend: "reachable", migrations: "applied" };
  try {
    const backend = await getBackend();
    // By the way of all calls: a good answer closes the breaker, though visitors are sent elsewhere meanwhile.
    const ask = reachBackend(backend, performance.now() + patienceMs);
    const answer = await ask(backend.url + probedRead, { headers: { apikey: backend.publishableKey } });
    if (answer.status === 401 || answer.status === 403) return { backend: "refused", migrations: "unknown" };
    return readAnswer(answer.status, await answer.json());
  } catch {
    return { backend: "unreachable", migrations: "unknown" };
  }
}

function readAnswer(status: number, body: unknown): BackendProbe {
  if (status === 200 && typeof body === "string" && /^\d{14}$/.test(body)) {
    const missing = findMissing(body);
    if (missing.length > 0) tellMissing(missing);
    return { backend: "reachable", migrations: missing.length > 0 ? "missing" : "applied" };
  }
  // PostgREST's code for a function that is not in its schema cache, which has been told by the way of all calls.
  const isUnknown = status === 404 && (body as { code?: unknown } | null)?.code === "PGRST202";
  return isUnknown
    ? { backend: "reachable", migrations: "missing" }
    : { backend: "unreachable", migrations: "unknown" };
}

/** The migrations of this very build that are newer than the database; a database may be newer than the build. */
function findMissing(newest: string): string[] {
  return Object.keys(productMigrations)
    .map((path) => path.replace(/^.*\//, "").replace(/\.sql$/, ""))
    .filter((name) => name.slice(0, newest.length) > newest)
    .toSorted();
}

const mayTellMissing = oncePer(60_000);

function tellMissing(missing: string[]): void {
  if (!mayTellMissing()) return;
  const remedy = remedies["migration-missing"];
  logProblem({ event: "backend.migrations-missing", missing: missing.join(", "), remedy });
}
