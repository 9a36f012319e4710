import { createHash } from "node:crypto";
import type { PGlite } from "@electric-sql/pglite";
import type { BackendLog } from "../log.ts";
import sessionsSql from "./sessions.sql?raw";

/** Session lifetimes, in seconds. */
export interface SessionLimits {
  /** from signing in */
  maxSeconds: number;
  /** without use; use is noticed when an access token is renewed */
  idleSeconds: number;
}

/** What the product's settings say when they say nothing. */
export const defaultSessionLimits: SessionLimits = { maxSeconds: 24 * 60 * 60, idleSeconds: 8 * 60 * 60 };

const hourInSeconds = 60 * 60;

/**
 * The lifetime of access tokens, in seconds: an hour as usual, or a quarter of a short idle limit, so that somebody at
 * work is never taken for idle.
 */
export function accessTokenLifetime({ idleSeconds }: SessionLimits): number {
  return Math.min(hourInSeconds, Math.floor(idleSeconds / 4));
}

/**
 * Puts the rules for sessions (sessions.sql) into a database that has lite's tables, and ends all sessions when the
 * secret that signs tokens is not the one of the last start.
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
 * Ends what must have ended before a request reaches the sign-in service, which then finds no session and says so.
 * @param refreshToken the one that the request brings, or null
 */
export async function endOverdueSessions(
  database: PGlite,
  refreshToken: string | null,
  log: BackendLog,
): Promise<void> {
  const sessions = await callCounting(database, "embedded.end_overdue_sessions($1)", [refreshToken]);
  if (sessions > 0) log({ event: "embedded.sessions-ended", reason: "refresh-token-reused", sessions });
}

async function callCounting(database: PGlite, call: string, parameters: unknown[]): Promise<number> {
  const { rows } = await database.query<{ n: number }>(`select ${call} as n`, parameters);
  return rows[0]?.n ?? 0;
}
