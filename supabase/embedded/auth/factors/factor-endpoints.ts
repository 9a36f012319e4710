import { decodeJwt } from "jose";
import { z } from "zod";
import type { Assurance } from "./assurance.ts";
import type { Caller, FactorResult, Factors } from "./factors.ts";
import type { NewSession } from "./replace-session.ts";

/** Dependencies of the second-factor endpoints. */
export interface FactorEndpointParts {
  factors: Factors;
  assurance: Assurance;
  /**
   * Calls GET /user of the sign-in service with the caller's headers. The response is 401 or 403 when the session has
   * ended.
   */
  identifyCaller(request: Request): Promise<Response>;
  /** ends a session and starts another that continues it */
  replaceSession(sessionId: string): Promise<NewSession>;
  tokenLifetimeSeconds: number;
}

const enrollSchema = z.object({ factor_type: z.literal("totp"), friendly_name: z.string().max(100).default("") });
const verifySchema = z.object({ challenge_id: z.uuid(), code: z.string().max(20) });
const callerSchema = z.object({ id: z.uuid(), email: z.string() });

/**
 * Serves GoTrue's second-factor endpoints, which lite lacks: POST /factors, POST /factors/:id/challenge and /verify,
 * DELETE /factors/:id. As GoTrue does, also rejects a change of the password or address (PUT /user) from an AAL1
 * session of a user who has a factor: a stolen password must not lock its owner out.
 * @returns null when the request is for none of these endpoints and may proceed
 */
export async function handleFactorEndpoint(parts: FactorEndpointParts, request: Request): Promise<Response | null> {
  const { pathname } = new URL(request.url);
  const isChange = request.method === "PUT" && pathname === "/auth/v1/user";
  const match = /^\/auth\/v1\/factors(?:\/([0-9a-f-]{36})(?:\/(challenge|verify))?)?$/.exec(pathname);
  if (!match && !isChange) return null;
  const response = await parts.identifyCaller(request);
  if (!response.ok) return response;
  const user: unknown = await response.json();
  const accessToken = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  const caller = { ...readCaller(user), sessionId: String(decodeJwt(accessToken)["session_id"]) };
  if (!match) return refuseWeakChange(parts, caller, await readJson(request.clone()));
  const [, factorId, step] = match;
  const result = await runFactorRequest(parts, caller, {
    method: request.method,
    factorId,
    step,
    body: await readJson(request),
  });
  return result === "verified" ? Response.json(await renewSession(parts, accessToken, user, caller)) : result;
}

async function refuseWeakChange(
  { factors }: FactorEndpointParts,
  caller: Caller,
  body: unknown,
): Promise<Response | null> {
  const isGuarded = typeof body === "object" && body !== null && ("password" in body || "email" in body);
  if (!isGuarded || (await factors.hasHighestLevel(caller))) return null;
  const words = "AAL2 session is required to update email or password when MFA is enabled.";
  return toResponse({ refused: { status: 401, code: "insufficient_aal", words } });
}

interface FactorRequest {
  method: string;
  factorId: string | undefined;
  step: string | undefined;
  body: unknown;
}

async function runFactorRequest(
  { factors }: FactorEndpointParts,
  caller: Caller,
  { method, factorId, step, body }: FactorRequest,
): Promise<Response | "verified"> {
  const operation = `${method} ${step ?? (factorId ? "factor" : "factors")}`;
  if (operation === "POST factors") {
    const enrollment = enrollSchema.safeParse(body);
    return enrollment.success
      ? toResponse(await factors.enroll(caller, enrollment.data.friendly_name))
      : invalid("factor_type needs to be totp");
  }
  if (!factorId) return methodNotAllowed();
  if (operation === "POST challenge") return toResponse(await factors.challenge(caller, factorId));
  if (operation === "DELETE factor") return toResponse(await factors.unenroll(caller, factorId));
  if (operation !== "POST verify") return methodNotAllowed();
  const attempt = verifySchema.safeParse(body);
  if (!attempt.success) return invalid("challenge_id and code are needed");
  const verified = await factors.verify(caller, factorId, attempt.data.challenge_id, attempt.data.code);
  return "refused" in verified ? toResponse(verified) : "verified";
}

/**
 * Replaces the caller's session with an AAL2 session, so that a copy of the old tokens, made before the code was
 * entered, is useless. GoTrue keeps the session and gives it a new refresh token.
 */
async function renewSession(
  { assurance, replaceSession, tokenLifetimeSeconds }: FactorEndpointParts,
  accessToken: string,
  user: unknown,
  caller: Caller,
) {
  const { sessionId, refreshToken } = await replaceSession(caller.sessionId);
  return {
    access_token: await assurance.sign(accessToken, { lifetimeSeconds: tokenLifetimeSeconds, sessionId }),
    refresh_token: refreshToken,
    token_type: "bearer",
    expires_in: tokenLifetimeSeconds,
    expires_at: Math.floor(Date.now() / 1_000) + tokenLifetimeSeconds,
    user: { ...Object(user), factors: await assurance.listFactors(caller.userId) },
  };
}

function readCaller(user: unknown): Pick<Caller, "userId" | "email"> {
  const { id, email } = callerSchema.parse(user);
  return { userId: id, email };
}

function toResponse(result: FactorResult<object | true>): Response {
  if ("done" in result) return Response.json(result.done);
  const { status, code, words } = result.refused;
  return Response.json({ code: status, error_code: code, msg: words }, { status });
}

const invalid = (words: string) => toResponse({ refused: { status: 400, code: "validation_failed", words } });
const methodNotAllowed = () =>
  toResponse({ refused: { status: 405, code: "validation_failed", words: "Method not allowed" } });

async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    return null;
  }
}
