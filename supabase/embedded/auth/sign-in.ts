import { randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import type { Tokens } from "../tokens.ts";
import { authErrors } from "./auth-error.ts";
import type { AuthRequest } from "./auth-request.ts";
import { isPasswordOf } from "./passwords.ts";
import { endOverdueSessions } from "./sessions.ts";
import { type Database, describeUser } from "./users.ts";

/** A session's id and its next refresh token. */
interface SessionTokens {
  sessionId: string;
  refreshToken: string;
}

const credentialsSchema = z.object({ email: z.string(), password: z.string().default("") });
const renewalSchema = z.object({ refresh_token: z.string().regex(/^[\w-]{43}$/) });

/** Hash of a discarded password, at the cost of `hashPassword`. */
const hashOfNobody = "$2b$10$PTDyJWz73BM55HoR0tPP8eLrxvcTFkDlxFub8b/OwFF4Zlw9JXFzy";

/**
 * Signs in by password: reads the account, compares the hash outside the database's queue, and begins a session if the
 * account still has that password. Costs one hash whether or not the address has an account, because the difference in time would
 * tell strangers which addresses have accounts. Nothing else waits for the hash.
 */
export async function signIn({ transact, tokens, body, userAgent, log, hashing }: AuthRequest): Promise<Response> {
  if (body === null) return authErrors.noJson();
  const credentials = credentialsSchema.safeParse(body).data;
  if (!credentials) return authErrors.invalid("missing email or phone");
  const account = await transact(async (database) => {
    await endOverdueSessions(database, null, log);
    const { rows } = await database.query<{ id: string; hash: string }>(
      "select id, encrypted_password as hash from auth.users where email = lower($1) and encrypted_password <> ''",
      [credentials.email],
    );
    return rows[0];
  });
  const isRight = await hashing.run(() => isPasswordOf(account?.hash ?? hashOfNobody, credentials.password));
  if (!account || !isRight) return authErrors.credentials();
  const session = makeSession();
  return transact(async (database) => {
    // The password may have changed while it was hashed.
    const { rows } = await database.query<{ begun: boolean }>(
      "select embedded.begin_session($1, $2, $3, $4, $5) as begun",
      [account.id, account.hash, session.sessionId, session.refreshToken, userAgent],
    );
    return rows[0]?.begun
      ? respondWithSession(database, tokens, session, { weak_password: null })
      : authErrors.credentials();
  });
}

/**
 * Renews a session: its refresh token works once. Within ten seconds of that it still names the next one, because a
 * browser may send several requests at once; later its use ends the session (sessions.sql).
 */
export async function refreshSession({ transact, tokens, body, log }: AuthRequest): Promise<Response> {
  if (body === null) return authErrors.noJson();
  const renewal = renewalSchema.safeParse(body).data;
  if (!renewal) return authErrors.invalid("Refresh token is not valid");
  return transact(async (database) => {
    await endOverdueSessions(database, renewal.refresh_token, log);
    const { rows } = await database.query<SessionTokens & { isDue: boolean }>(
      `select session as "sessionId", token as "refreshToken", embedded.is_session_due(session) as "isDue"
       from embedded.renew_session($1, $2)`,
      [renewal.refresh_token, makeSession().refreshToken],
    );
    const renewed = rows[0];
    if (!renewed) return authErrors.refreshToken();
    // A recovery or setup code was accepted: the tokens of before it are worth nothing.
    return respondWithSession(
      database,
      tokens,
      renewed.isDue ? await replaceSession(database, renewed.sessionId) : renewed,
    );
  });
}

/** Responds with a session's tokens and its user. */
export async function respondWithSession(
  database: Database,
  tokens: Tokens,
  { sessionId, refreshToken }: SessionTokens,
  more: object = {},
): Promise<Response> {
  const { rows } = await database.query<{ claims: Record<string, unknown> }>(sessionClaims, [sessionId]);
  const claims = rows[0]?.claims ?? {};
  const { token, expiresAt } = await tokens.sign(claims);
  return Response.json({
    access_token: token,
    refresh_token: refreshToken,
    token_type: "bearer",
    expires_in: tokens.lifetime,
    expires_at: expiresAt,
    user: await describeUser(database, String(claims["sub"])),
    ...more,
  });
}

const sessionClaims = `
  select jsonb_build_object(
    'sub', person.id, 'aud', person.aud, 'role', person.role, 'email', person.email, 'session_id', session.id,
    'aal', session.aal, 'amr', (
      select jsonb_agg(
        jsonb_build_object('method', authentication_method, 'timestamp', extract(epoch from updated_at)::bigint)
        order by updated_at desc)
      from auth.mfa_amr_claims where session_id = session.id
    )) as claims
  from auth.sessions as session join auth.users as person on person.id = session.user_id
  where session.id = $1`;

/** Gives a session a new id and a new refresh token, so that a copy of the old tokens gains nothing from a code. */
export async function replaceSession(database: Database, oldId: string): Promise<SessionTokens> {
  const made = makeSession();
  await database.query("select embedded.replace_session($1, $2, $3)", [oldId, made.sessionId, made.refreshToken]);
  return made;
}

function makeSession(): SessionTokens {
  return { sessionId: randomUUID(), refreshToken: randomBytes(32).toString("base64url") };
}
