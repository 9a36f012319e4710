import type { PGlite } from "@electric-sql/pglite";
import type { BackendLog } from "../log.ts";
import { endOverdueSessions } from "./sessions.ts";

/**
 * Lets the sign-in service answer a request, by the rules of sessions that lite leaves out (sessions.sql): what must
 * have ended is ended before, so that the service finds no session and says so; whoever asks for a new password stays
 * signed in; and a session that begins knows its browser. The caller holds the database alone meanwhile.
 * @param answer lite's own
 */
export async function answerSignIn(
  database: PGlite,
  request: Request,
  answer: (request: Request) => Promise<Response>,
  log: BackendLog,
): Promise<Response> {
  await endOverdueSessions(database, await readRefreshToken(request), log);
  if (request.method === "GET") return answer(request);
  const asking = request.method === "PUT" ? findSessionId(request) : null;
  await note(database, asking ?? "", request.headers.get("user-agent") ?? "");
  try {
    return await answer(request);
  } finally {
    await note(database, "", "");
  }
}

/** For the triggers in sessions.sql, which see nothing of the request. */
async function note(database: PGlite, session: string, userAgent: string): Promise<void> {
  const statement =
    "select set_config('embedded.asking_session', $1, false), set_config('embedded.user_agent', $2, false)";
  await database.query(statement, [session, userAgent]);
}

/**
 * The session that the bearer token names, or null. The signature is not looked at: lite refuses a forged token before it
 * changes anything.
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

/** @returns the refresh token that a request to the sign-in service brings, or null */
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
