import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startService } from "../../database/support/postgres/child-process.ts";
import { pushMigrations } from "../../database/support/postgres/hosted-project.ts";
import { signToken } from "../../database/support/postgres/json-web-token.ts";
import type { PostgresDatabase } from "../../database/support/postgres/postgres-database.ts";
import { findPostgrestBinary, restSettings } from "../../database/support/postgres/postgrest.ts";
import { serveOptions, findDeno } from "../../functions/support/deno.ts";
import { findFreePort } from "../free-port.ts";
import { type Route, startProxy } from "./proxy.ts";

/** A project of real services behind one gateway, on free ports. */
export interface Project {
  /** the gateway's address */
  url: string;
  keys: { publishableKey: string; secretKey: string };
}

/** Options of a project. */
export interface ProjectOptions {
  siteUrl: string;
  siteKey: string;
  /** settings of the functions that an operator chooses */
  functions: Record<string, string>;
  /** the program of Supabase Auth */
  auth: string;
  /** takes the end of each service, also if a later one fails to start */
  onClose(end: () => unknown): void;
}

/** Starts the services, and runs the pending migrations. */
export async function startProject(
  database: PostgresDatabase,
  { siteUrl, siteKey, functions, auth, onClose }: ProjectOptions,
): Promise<Project> {
  const [authPort, restPort, functionsPort] = await Promise.all(Array.from({ length: 3 }, findFreePort));
  // Signs all tokens (HS256).
  const jwtSecret = randomBytes(32).toString("hex");
  // The keys are tokens that name a role and do not expire, as projects made before 2025 have them.
  const makeKey = (role: string) => signToken({ role, exp: 4_000_000_000 }, jwtSecret);
  const keys = { publishableKey: makeKey("anon"), secretKey: makeKey("service_role") };
  const start = async (program: string, args: string[], env: NodeJS.ProcessEnv, url: string, status: number) => {
    const isReady = async () => (await fetch(url)).status === status;
    const service = await startService(program, args, { env, cwd: repository }, isReady);
    onClose(() => service.stop("TERM"));
  };
  const home = await mkdtemp(join(tmpdir(), "advisory-project-"));
  onClose(() => rm(home, { recursive: true, force: true }));
  const gateway = await startProxy(0, routeTo({ authPort, restPort, functionsPort }));
  onClose(() => gateway.close());
  const base = { NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, HOME: home };
  const databaseUrl = (role: string) =>
    `postgres://${role}@/${database.name}?host=${encodeURIComponent(database.socketDir)}`;
  const ofAuth = {
    ...authSettings,
    DATABASE_URL: databaseUrl("supabase_auth_admin"),
    PORT: String(authPort),
    GOTRUE_JWT_SECRET: jwtSecret,
    GOTRUE_SITE_URL: siteUrl,
    API_EXTERNAL_URL: `${gateway.url}/auth/v1`,
  };
  await start(auth, [], { ...base, ...ofAuth }, `http://127.0.0.1:${authPort}/health`, 200);
  await pushMigrations(database);
  const ofRest = {
    ...restSettings,
    PGRST_DB_URI: databaseUrl("authenticator"),
    PGRST_JWT_SECRET: jwtSecret,
    PGRST_SERVER_HOST: "127.0.0.1",
    PGRST_SERVER_PORT: String(restPort),
  };
  const restUrl = `http://127.0.0.1:${restPort}/contact_submissions?limit=0`;
  const ofFunctions = {
    DENO_DIR: home,
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
    SUPABASE_URL: gateway.url,
    SUPABASE_SECRET_KEY: keys.secretKey,
    SITE_URL: siteUrl,
    SITE_KEY: siteKey,
    ...functions,
  };
  const serve = ["serve", "--host", "127.0.0.1", "--port", String(functionsPort), ...serveOptions, serveFunctions];
  const functionUrl = `http://127.0.0.1:${functionsPort}/functions/v1/deliver-outbox`;
  await Promise.all([
    start(findPostgrestBinary(), [], { ...base, ...ofRest }, restUrl, 401),
    start(findDeno(), serve, { ...base, ...ofFunctions }, functionUrl, 405),
  ]);
  return { url: gateway.url, keys };
}

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const serveFunctions = fileURLToPath(new URL("serve-functions.ts", import.meta.url));

/** Passes calls to the services at the paths of a hosted project. */
function routeTo(ports: Record<"authPort" | "restPort" | "functionsPort", number | undefined>): Route {
  return ({ url = "", headers }) => {
    const [, service, path] = /^\/(auth|rest|functions)\/v1(\/.*)$/.exec(url) ?? [];
    if (service === "functions") return [{ origin: `http://127.0.0.1:${ports.functionsPort}` }];
    if (service === undefined) return [];
    const origin = `http://127.0.0.1:${service === "auth" ? ports.authPort : ports.restPort}`;
    // Both services read tokens from Authorization only.
    const authorization = headers.authorization ?? (headers.apikey ? `Bearer ${String(headers.apikey)}` : undefined);
    return [{ origin, path, headers: { authorization } }];
  };
}

/** Settings of Supabase Auth, with the values of supabase/config.toml. */
const authSettings = {
  DB_NAMESPACE: "auth",
  GOTRUE_DB_DRIVER: "postgres",
  GOTRUE_API_HOST: "127.0.0.1",
  GOTRUE_LOG_LEVEL: "error",
  GOTRUE_JWT_AUD: "authenticated",
  GOTRUE_JWT_EXP: "3600",
  GOTRUE_JWT_DEFAULT_GROUP_NAME: "authenticated",
  GOTRUE_JWT_ADMIN_ROLES: "service_role,supabase_admin",
  GOTRUE_DISABLE_SIGNUP: "true",
  GOTRUE_EXTERNAL_EMAIL_ENABLED: "true",
  GOTRUE_MAILER_AUTOCONFIRM: "false",
  GOTRUE_PASSWORD_MIN_LENGTH: "12",
  GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: "true",
  GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: "10",
  GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: "true",
  GOTRUE_SESSIONS_TIMEBOX: "24h",
  GOTRUE_SESSIONS_INACTIVITY_TIMEOUT: "8h",
};
