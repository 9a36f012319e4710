import { setTimeout as wait } from "node:timers/promises";
import { siteCommit, siteVersion } from "~/lib/site-version";
import { z } from "zod";
import type { Settings } from "../../config/settings.server";
import { type Visit, visit } from "./outside/visit.server";

const partsSchema = z.object({
  ready: z.boolean(),
  draining: z.boolean(),
  backend: z.string(),
  migrations: z.string(),
  breakers: z.record(z.string(), z.string()),
  disk: z.string().nullable(),
  version: z.string(),
});

/** The answers of the server on this machine. */
export interface LocalServer {
  /** e.g. `http://127.0.0.1:3000`; null if PORT is 0 */
  origin: string | null;
  /** `silent`: no program responds there; `foreign`: another program does */
  state: "up" | "starting" | "foreign" | "silent";
  /** `/readyz`; null if it did not respond */
  isReady: boolean | null;
  /** readiness in parts, from METRICS_PORT; null without it */
  parts: z.output<typeof partsSchema> | null;
}

/** Asks the server of this installation for its health, on its own ports. */
export async function askLocalServer({ port, host, metrics }: Settings): Promise<LocalServer> {
  if (port === 0) return { origin: null, state: "silent", isReady: null, parts: null };
  const origin = originOf(host, port);
  const health = await ask(`${origin}/healthz`);
  const state = health === null ? "silent" : (states[health.body.toString()] ?? "foreign");
  if (state === "silent" || state === "foreign") return { origin, state, isReady: null, parts: null };
  const ready = () => readReadiness(origin, metrics);
  let readiness = await ready();
  // The server keeps a result for a second, and one late response of its database is no trouble.
  for (let again = 1; again <= 2 && !readiness.isReady; again++) {
    await wait(1_100);
    readiness = await ready();
  }
  return { origin, state, ...readiness };
}

async function readReadiness(origin: string, metrics: Settings["metrics"]) {
  const [readiness, parts] = await Promise.all([
    ask(`${origin}/readyz`),
    metrics ? ask(`${originOf(metrics.host, metrics.port)}/readyz`) : null,
  ]);
  return {
    isReady: readiness === null ? null : readiness.status === 200,
    parts: parts === null ? null : (partsSchema.safeParse(readJson(parts)).data ?? null),
  };
}

/** Returns true if a server runs the build that this command belongs to, as far as builds can be told apart. */
export function isSameVersion(version: string | undefined): boolean {
  return siteCommit === "unknown" ? version?.split("+")[0] === siteVersion : version === siteVersion;
}

const states: Record<string, "up" | "starting"> = { "ok\n": "up", "starting\n": "starting" };

/** Reads a response that should be JSON; null if it is not. */
export function readJson({ body }: Pick<Visit, "body">): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

function ask(url: string): Promise<Visit | null> {
  return visit(new URL(url)).catch(() => null);
}

/** Connects to the loopback address for a server that listens on all addresses. */
function originOf(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
