import { createHash } from "node:crypto";
import type { PGlite } from "@electric-sql/pglite";
import type { BackendLog } from "../log.ts";
import type { Database } from "./users.ts";
import sessionsSql from "./sessions.sql?raw";

/** Session lifetimes, in seconds. */
export interface SessionLimits {
  /** counted from sign-in */
  maxSeconds: number;
  /** time without use; use is registered when an access token is refreshed */
  idleSeconds: number;
}

/** Limits when the settings give none. */
export const defaultSessionLimits: SessionLimits = { maxSeconds: 24 * 60 * 60, idleSeconds: 8 * 60 * 60 };

const hourInSeconds = 60 * 60;

/**
 * Returns the lifetime of access tokens, in seconds: an hour, or a quarter of a short idle limit, so that an active
 * user never counts as idle.
 */
export function accessTokenLifetime({ idleSeconds }: SessionLimits): number {
  return Math.min(hourInSeconds, Math.floor(idleSeconds / 4));
}

/**
 * Installs the session rules (sessions.sql) in a database that has the sign-in service's tables (auth.sql), and ends all sessions if the secret
 * that signs tokens has changed since the last start.
 */
export async function beginSessions(
  database: PGlite,
  tokenSecret: string,
  limits: SessionLimits,
  log: BackendLog,
): Promise<void> {
  await database.exec(sessionsSql);
  const digest = createHash("sha256").update(tokenSecret).digest("hex");
  const sessions = await callCounting(database, "embedded.begin_sessions($1, $2, $3)", [
    digest,
    limits.maxSeconds,
    limits.idleSeconds,
  ]);
  if (sessions > 0) log({ event: "embedded.sessions-ended", reason: "new-keys", sessions });
}

/**
 * Ends overdue sessions before a request reaches the sign-in service, which then finds no session and rejects the
 * request.
 * @param refreshToken the request's token, or null
 */
export async function endOverdueSessions(
  database: Database,
  refreshToken: string | null,
  log: BackendLog,
): Promise<void> {
  const sessions = await callCounting(database, "embedded.end_overdue_sessions($1)", [refreshToken]);
  if (sessions > 0) log({ event: "embedded.sessions-ended", reason: "refresh-token-reused", sessions });
}

async function callCounting(database: Database, call: string, parameters: unknown[]): Promise<number> {
  const { rows } = await database.query<{ n: number }>(`select ${call} as n`, parameters);
  return rows[0]?.n ?? 0;
}
