import type { PGlite } from "@electric-sql/pglite";
import type { BackendLog } from "../log.ts";
import { answerSignIn } from "./answer-sign-in.ts";
import { createAssurance } from "./factors/assurance.ts";
import { answerFactorEndpoint } from "./factors/factor-endpoints.ts";
import { Factors } from "./factors/factors.ts";
import { replaceSession } from "./factors/replace-session.ts";
import { hashForUnknown } from "./unknown-addresses.ts";
import { createSeal } from "./factors/sealed-secret.ts";

/** What the sign-in service is made of. */
export interface AuthServiceParts {
  /** lite's application */
  answer(request: Request): Promise<Response>;
  database: PGlite;
  /** what lite signs access tokens with */
  jwtSecret: string;
  tokenLifetimeSeconds: number;
  /** shown in authenticator apps beside the account: the site's host */
  issuer: string;
  log: BackendLog;
}

/**
 * The sign-in service as GoTrue is: lite's, with sessions that end, second factors, and tokens that tell what somebody has
 * signed in with. What it returns answers one request to /auth/v1 that may be answered at all; one at a time.
 */
export function createAuthService(parts: AuthServiceParts): (request: Request) => Promise<Response> {
  const { database, jwtSecret, tokenLifetimeSeconds, issuer, log } = parts;
  const answer = (request: Request) =>
    hashForUnknown(database, request, (sent) => answerSignIn(database, sent, parts.answer, log));
  const assurance = createAssurance(database, jwtSecret);
  const factorEndpoints = {
    factors: new Factors(database, createSeal(jwtSecret), issuer),
    assurance,
    tokenLifetimeSeconds,
    askWhoCalls: ({ url, headers }: Request) =>
      answer(new Request(new URL("/auth/v1/user", url), { headers: withoutBody(headers) })),
    replaceSession: (sessionId: string) => replaceSession(database, sessionId),
  };
  return async (request) =>
    (await answerFactorEndpoint(factorEndpoints, request)) ?? assurance.complete(await answer(request));
}

function withoutBody(headers: Headers): Headers {
  const others = new Headers(headers);
  others.delete("content-type");
  others.delete("content-length");
  return others;
}
