import type { PGlite } from "@electric-sql/pglite";
import { type NewSession, replaceSession } from "./replace-session.ts";
import { decodeJwt, decodeProtectedHeader, SignJWT } from "jose";

/** A second factor as GoTrue describes it to its owner, without its secret. */
export interface FactorView {
  id: string;
  friendly_name: string | null;
  factor_type: string;
  status: "unverified" | "verified";
  created_at: string;
  updated_at: string;
  last_challenged_at: string | null;
  /** always "": there are no factors by phone */
  phone: string;
}

/** Claims in which a new access token differs from the one it is derived from. */
export interface ClaimChanges {
  /** counted from now; by default the new token expires with the old one */
  lifetimeSeconds?: number;
  /** defaults to the session of the old token */
  sessionId?: string;
}

/** Adds what lite's responses lack: the assurance level of a session and the user's second factors. */
export interface Assurance {
  /** Derives an access token from the given one, with the current claims `aal` and `amr`. */
  sign(accessToken: string, changed?: ClaimChanges): Promise<string>;
  listFactors(userId: string): Promise<FactorView[]>;
  /**
   * Completes a response of lite that describes a user, or that starts or refreshes a session. Returns any other
   * unchanged.
   */
  complete(response: Response): Promise<Response>;
}

/** @param jwtSecret secret with which lite signs tokens */
export function createAssurance(database: PGlite, jwtSecret: string): Assurance {
  const key = new TextEncoder().encode(jwtSecret);

  async function sign(accessToken: string, { lifetimeSeconds, sessionId }: ClaimChanges = {}): Promise<string> {
    const claims = decodeJwt(accessToken);
    const now = Math.floor(Date.now() / 1_000);
    const times = lifetimeSeconds === undefined ? {} : { iat: now, exp: now + lifetimeSeconds };
    const session_id = sessionId ?? String(claims["session_id"]);
    const levels = await readLevels(database, session_id);
    const token = new SignJWT({ ...claims, ...times, session_id, ...levels });
    return token.setProtectedHeader({ ...decodeProtectedHeader(accessToken), alg: "HS256" }).sign(key);
  }

  async function listFactors(userId: string): Promise<FactorView[]> {
    const { rows } = await database.query<FactorView>(factorViews, [userId]);
    return rows;
  }

  /** Adds the list of factors. As GoTrue does, omits it when it is empty. */
  async function withFactors<User extends object>(user: User): Promise<User> {
    const factors = "id" in user ? await listFactors(String(user.id)) : [];
    return factors.length === 0 ? user : { ...user, factors };
  }

  return {
    sign,
    listFactors,
    async complete(response) {
      if (!response.ok || !response.headers.get("content-type")?.includes("json")) return response;
      const body: unknown = await response.json();
      if (!isObject(body)) return Response.json(body, response);
      if (typeof body["access_token"] === "string") {
        const renewed = await renewPermitted(database, String(decodeJwt(body["access_token"])["session_id"]));
        body["access_token"] = await sign(body["access_token"], renewed ? { sessionId: renewed.sessionId } : {});
        if (renewed) body["refresh_token"] = renewed.refreshToken;
        if (isObject(body["user"])) body["user"] = await withFactors(body["user"]);
        return respondAs(response, body);
      }
      return respondAs(response, await withFactors(body));
    },
  };
}

const factorViews = `
  select id, friendly_name, factor_type, status, created_at, updated_at, last_challenged_at, '' as phone
  from auth.mfa_factors where user_id = $1 order by created_at, id`;

/**
 * Reads the assurance level. Every session here started with a password; older sessions lack the row that records it,
 * so add it.
 */
async function readLevels(database: PGlite, sessionId: string): Promise<{ aal: string; amr: unknown[] }> {
  await database.query(
    `insert into auth.mfa_amr_claims (session_id, authentication_method, updated_at)
     select id, 'password', created_at from auth.sessions where id = $1
     on conflict (session_id, authentication_method) do nothing`,
    [sessionId],
  );
  const { rows } = await database.query<{ aal: string; amr: unknown[] }>(
    `select session.aal::text as aal, jsonb_agg(
       jsonb_build_object('method', claim.authentication_method, 'timestamp', extract(epoch from claim.updated_at)::bigint)
       order by claim.updated_at desc) as amr
     from auth.sessions as session join auth.mfa_amr_claims as claim on claim.session_id = session.id
     where session.id = $1 group by session.aal`,
    [sessionId],
  );
  return rows[0] ?? { aal: "aal1", amr: [] };
}

/** Moves the session to a new id if a recovery or setup code was accepted in it. Returns null otherwise. */
async function renewPermitted(database: PGlite, sessionId: string): Promise<NewSession | null> {
  const { rows } = await database.query<{ due: boolean }>("select embedded.is_session_due($1) as due", [sessionId]);
  return rows[0]?.due ? replaceSession(database, sessionId) : null;
}

function respondAs({ status, headers }: Response, body: object): Response {
  const others = new Headers(headers);
  others.delete("content-length");
  return Response.json(body, { status, headers: others });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
