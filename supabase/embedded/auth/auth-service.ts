import type { PGlite } from "@electric-sql/pglite";
import type { BackendLog } from "../log.ts";
import { applySessionRules } from "./apply-session-rules.ts";
import { createAssurance } from "./factors/assurance.ts";
import { handleFactorEndpoint } from "./factors/factor-endpoints.ts";
import { Factors } from "./factors/factors.ts";
import { refuseMalformedBody } from "./malformed-requests.ts";
import { replaceSession } from "./factors/replace-session.ts";
import { hashForUnknown } from "./unknown-addresses.ts";
import { createSeal } from "./factors/sealed-secret.ts";

/** Dependencies of the sign-in service. */
export interface AuthServiceParts {
  /** lite's request handler */
  handle(request: Request): Promise<Response>;
  database: PGlite;
  /** secret with which lite signs access tokens */
  jwtSecret: string;
  tokenLifetimeSeconds: number;
  /** the site's host, which authenticator apps show beside the account */
  issuer: string;
  log: BackendLog;
}

/**
 * Creates the sign-in service, which behaves as GoTrue does: lite's service, with sessions that expire, second factors,
 * and tokens that carry the assurance level. The function it returns handles one permitted request to /auth/v1 and must
 * not run concurrently.
 */
export function createAuthService(parts: AuthServiceParts): (request: Request) => Promise<Response> {
  const { database, jwtSecret, tokenLifetimeSeconds, issuer, log } = parts;
  const handle = (request: Request) =>
    hashForUnknown(database, request, (sent) => applySessionRules(database, sent, parts.handle, log));
  const assurance = createAssurance(database, jwtSecret);
  const factorEndpoints = {
    factors: new Factors(database, createSeal(jwtSecret), issuer),
    assurance,
    tokenLifetimeSeconds,
    identifyCaller: ({ url, headers }: Request) =>
      handle(new Request(new URL("/auth/v1/user", url), { headers: withoutBody(headers) })),
    replaceSession: (sessionId: string) => replaceSession(database, sessionId),
  };
  return async (request) =>
    (await refuseMalformedBody(request)) ??
    (await handleFactorEndpoint(factorEndpoints, request)) ??
    assurance.complete(await handle(request));
}

function withoutBody(headers: Headers): Headers {
  const others = new Headers(headers);
  others.delete("content-type");
  others.delete("content-length");
  return others;
}
