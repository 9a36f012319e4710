import type { PGlite } from "@electric-sql/pglite";
import type { BackendLog } from "../log.ts";
import { endOverdueSessions } from "./sessions.ts";

/**
 * Passes a request to the sign-in service and applies the session rules that lite lacks (sessions.sql). Overdue
 * sessions end first, so that the service finds no session and rejects the request. A user who changes their password
 * stays signed in. A new session records its user agent. The caller must hold the database exclusively.
 * @param handle lite's handler
 */
export async function applySessionRules(
  database: PGlite,
  request: Request,
  handle: (request: Request) => Promise<Response>,
  log: BackendLog,
): Promise<Response> {
  await endOverdueSessions(database, await readRefreshToken(request), log);
  if (request.method === "GET") return handle(request);
  const changingSession = request.method === "PUT" ? findSessionId(request) : null;
  await setTriggerSettings(database, changingSession ?? "", request.headers.get("user-agent") ?? "");
  try {
    return await handle(request);
  } finally {
    await setTriggerSettings(database, "", "");
  }
}

/** Sets what the triggers in sessions.sql need to know, because they do not see the request. */
async function setTriggerSettings(database: PGlite, session: string, userAgent: string): Promise<void> {
  const statement =
    "select set_config('embedded.asking_session', $1, false), set_config('embedded.user_agent', $2, false)";
  await database.query(statement, [session, userAgent]);
}

/**
 * Returns the session that the bearer token names, or null. Does not verify the signature: lite rejects a forged token
 * before it changes anything.
 */
function findSessionId(request: Request): string | null {
  const payload = /^Bearer [^.]+\.([\w-]+)\./.exec(request.headers.get("authorization") ?? "")?.[1];
  try {
    const { session_id: id } = JSON.parse(Buffer.from(payload ?? "", "base64url").toString()) as {
      session_id?: unknown;
    };
    return typeof id === "string" && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}

/** @returns the refresh token in a request to the sign-in service, or null */
async function readRefreshToken(request: Request): Promise<string | null> {
  if (request.method !== "POST") return null;
  try {
    const body: unknown = await request.clone().json();
    const token = typeof body === "object" && body !== null && "refresh_token" in body ? body.refresh_token : null;
    return typeof token === "string" ? token : null;
  } catch {
    return null;
  }
}
