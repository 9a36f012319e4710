import { readCredentials, refuseKey } from "../rest/callers.ts";
import { Mutex } from "../session/mutex.ts";
import { reportFailure, SqlError } from "../session/sql-error.ts";
import { type Claims, TokenRefused } from "../tokens.ts";
import type { AuthParts, AuthRequest, Caller } from "./auth-request.ts";
import { changeAccount } from "./change-account.ts";
import { handleAdminUsers } from "./admin-users.ts";
import { authErrors, respondWithAuthError } from "./auth-error.ts";
import { handleFactorRequest } from "./factors/factor-endpoints.ts";
import { createSeal } from "./factors/sealed-secret.ts";
import { refreshSession, signIn } from "./sign-in.ts";
import { endOverdueSessions } from "./sessions.ts";
import { type Database, describeUser } from "./users.ts";

/**
 * Creates the sign-in service, which responds as GoTrue does (Supabase Auth), as far as this product calls it: sign-in
 * by password, renewal, reading and changing one's own account, sign-out, second factors.
 * @returns a function that handles a request to /auth/v1 with the text of its body; it takes the database when it needs
 *   it, because hashing a password takes long
 */
export function createAuthService(parts: AuthParts): (request: Request, body: string) => Promise<Response> {
  const seal = createSeal(parts.secrets.jwtSecret);
  const hashing = new Mutex();
  return async (request, body) => {
    const credentials = readCredentials(request.headers, parts.secrets);
    if (!credentials) return refuseKey(request.headers);
    const { pathname, searchParams: query } = new URL(request.url);
    const path = pathname.slice("/auth/v1/".length);
    const { method, headers } = request;
    const parsed = method === "GET" || body === "" ? null : parseJson(body);
    if (parsed instanceof Response) return parsed;
    const asCaller = <T>(work: (database: Database, caller: Caller) => Promise<T>) =>
      runAsCaller(parts, credentials.token, work);
    const userAgent = headers.get("user-agent") ?? "";
    const isAdmin = credentials.role === "service_role" && credentials.token === null;
    try {
      const ofAdmin = isAdmin ? handleAdminUsers(parts.users, method, path, parsed) : null;
      if (ofAdmin) return await ofAdmin;
      return await handle({ ...parts, method, path, query, body: parsed, userAgent, hashing, asCaller }, seal);
    } catch (error) {
      reportFailure(error, parts.log);
      // Class 22: a value that PostgreSQL cannot store, such as NUL.
      if (error instanceof SqlError && error.code.startsWith("22")) return authErrors.wrongType();
      return respondWithAuthError(500, "unexpected_failure", "Unexpected failure, please check server logs");
    }
  };
}

async function handle(request: AuthRequest, seal: ReturnType<typeof createSeal>): Promise<Response> {
  const { method, path, query, asCaller } = request;
  if (path === "token" && method === "POST") {
    const grant = query.get("grant_type");
    if (grant === "password") return signIn(request);
    return grant === "refresh_token" ? refreshSession(request) : authErrors.grant();
  }
  if (path === "user" && method === "GET")
    return asCaller(async (database, { userId }) => Response.json(await describeUser(database, userId)));
  if (path === "user" && method === "PUT") return changeAccount(request);
  if (path === "logout" && method === "POST") return signOut(request);
  if (path === "signup") return respondWithAuthError(422, "signup_disabled", "Signups not allowed for this instance");
  if (["token", "user", "logout"].includes(path)) return authErrors.method();
  const factor = /^factors(?:\/([0-9a-f-]{36})(?:\/(challenge|verify))?)?$/.exec(path);
  if (factor) return handleFactorRequest(request, seal, factor[1], factor[2]);
  if (/^admin(?:\/|$)/.test(path)) return Response.json({ message: "Not found" }, { status: 404 });
  // Sign-in by mailed link or by another provider: this backend sends no such mail.
  return respondWithAuthError(422, "otp_disabled", "Only sign-in by password is available");
}

async function runAsCaller<T>(
  { transact, tokens, log }: AuthParts,
  token: string | null,
  work: (database: Database, caller: Caller) => Promise<T>,
): Promise<T | Response> {
  if (token === null) return authErrors.noToken();
  let claims: Claims;
  try {
    claims = await tokens.verify(token);
  } catch (error) {
    if (error instanceof TokenRefused) return authErrors.badToken(error.message);
    throw error;
  }
  return transact(async (database) => {
    await endOverdueSessions(database, null, log);
    const { rows } = await database.query<Caller>(callers, [claims["session_id"], claims.sub]);
    return rows[0] ? work(database, rows[0]) : authErrors.noSession();
  });
}

const callers = `
  select session.id as "sessionId", person.id as "userId", person.email
  from auth.sessions as session join auth.users as person on person.id = session.user_id
  where session.id = $1 and person.id = $2`;

async function signOut({ query, asCaller }: AuthRequest): Promise<Response> {
  return asCaller(async (database, { sessionId }) => {
    if (query.get("scope") !== "local") return authErrors.invalid('Only the logout scope "local" is available');
    await database.query("delete from auth.sessions where id = $1", [sessionId]);
    return new Response(null, { status: 204 });
  });
}

function parseJson(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body);
    return parsed ?? authErrors.wrongType();
  } catch {
    return authErrors.noJson();
  }
}
