import { getBackend } from "./backend.server";
import { reachBackend } from "./reach-backend.server";
import { getSettings } from "./settings.server";

/** What one question to the backend tells. */
export interface BackendProbe {
  /** `refused`: it answers, but not to this key */
  backend: "reachable" | "unreachable" | "refused";
  /** whether the database is as this version needs it */
  migrations: "applied" | "missing" | "unknown";
}

/** Shorter than the second that orchestrators wait for a probe by default. */
const patienceMs = 800;

/**
 * A read that anybody may do, that changes nothing, and that finds nothing for an empty token: PostgREST answers 404 as
 * long as the migration that brings it has not been applied.
 */
const probedRead = "/rest/v1/rpc/find_data_rights_status?token=";

/** Asks the backend one cheap question. Never throws. The embedded one has applied its migrations before it is there. */
export async function probeBackend(): Promise<BackendProbe> {
  if (getSettings().backend.kind === "embedded") return { backend: "reachable", migrations: "applied" };
  try {
    const backend = await getBackend();
    // By the way of all calls: a good answer closes the breaker, though visitors are sent elsewhere meanwhile.
    const ask = reachBackend(backend, performance.now() + patienceMs);
    const answer = await ask(backend.url + probedRead, { headers: { apikey: backend.publishableKey } });
    if (answer.status === 401 || answer.status === 403) return { backend: "refused", migrations: "unknown" };
    const body: unknown = await answer.json();
    if (answer.ok && Array.isArray(body)) return { backend: "reachable", migrations: "applied" };
    // PostgREST's code for a function that is not in its schema cache.
    const isUnknown = answer.status === 404 && (body as { code?: unknown } | null)?.code === "PGRST202";
    return isUnknown
      ? { backend: "reachable", migrations: "missing" }
      : { backend: "unreachable", migrations: "unknown" };
  } catch {
    return { backend: "unreachable", migrations: "unknown" };
  }
}
