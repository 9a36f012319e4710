import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { startService } from "../../database/support/postgres/child-process.ts";
import type { PostgresDatabase } from "../../database/support/postgres/postgres-database.ts";
import { findFreePort } from "../free-port.ts";

/** Message for machines on which the stack cannot start, with the fix. */
export const noAuthProgram =
  "no Supabase Auth program: unpack a release of github.com/supabase/auth and set SUPABASE_AUTH_PROGRAM to its file `auth`";

/** Supabase Auth (GoTrue) by itself, without a gateway. */
export interface AuthService {
  /** its address on this machine, without a trailing slash */
  origin: string;
  output(): string;
  stop(): Promise<void>;
}

/** Finds the program: `SUPABASE_AUTH_PROGRAM`, else `gotrue` on the PATH; null without either. */
export function findAuthProgram(): string | null {
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "gotrue"));
  const files = process.env.SUPABASE_AUTH_PROGRAM ? [process.env.SUPABASE_AUTH_PROGRAM] : onPath;
  return files.find(isProgram) ?? null;
}

/**
 * Starts the service with the settings of supabase/config.toml. It runs its own migrations first.
 * @param siteUrl the site's address, for links in emails
 * @param gatewayUrl the project's address
 */
export async function startAuthService(
  program: string,
  database: PostgresDatabase,
  { jwtSecret, siteUrl, gatewayUrl }: { jwtSecret: string; siteUrl: string; gatewayUrl: string },
): Promise<AuthService> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: process.env.NODE_ENV,
    DATABASE_URL: `postgres://supabase_auth_admin@/${database.name}?host=${encodeURIComponent(database.socketDir)}`,
    DB_NAMESPACE: "auth",
    GOTRUE_DB_DRIVER: "postgres",
    GOTRUE_API_HOST: "127.0.0.1",
    PORT: String(port),
    API_EXTERNAL_URL: `${gatewayUrl}/auth/v1`,
    GOTRUE_SITE_URL: siteUrl,
    GOTRUE_JWT_SECRET: jwtSecret,
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
    GOTRUE_LOG_LEVEL: "error",
  };
  const service = await startService(program, [], { env }, async () => (await fetch(`${origin}/health`)).ok);
  return { origin, output: service.output, stop: () => service.stop("TERM") };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
