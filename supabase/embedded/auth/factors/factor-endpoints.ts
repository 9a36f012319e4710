import { z } from "zod";
import type { AuthRequest } from "../auth-request.ts";
import { authErrors, respondWithAuthError } from "../auth-error.ts";
import { replaceSession, respondWithSession } from "../sign-in.ts";
import { type FactorResult, Factors } from "./factors.ts";
import type { Seal } from "./sealed-secret.ts";

const enrollSchema = z.object({ factor_type: z.literal("totp"), friendly_name: z.string().max(100).default("") });
const verifySchema = z.object({ challenge_id: z.uuid(), code: z.string().max(20) });

/**
 * Serves GoTrue's endpoints of second factors: POST /factors, POST /factors/:id/challenge and /verify, DELETE
 * /factors/:id.
 * @param id in the path; absent for /factors
 */
export async function handleFactorRequest(
  request: AuthRequest,
  seal: Seal,
  id: string | undefined,
  step: string | undefined,
): Promise<Response> {
  const { method, body, issuer, tokens, asCaller } = request;
  const operation = `${method} ${step ?? (id ? "factor" : "factors")}`;
  return asCaller(async (database, caller) => {
    const factors = new Factors(database, seal, issuer);
    if (operation === "POST factors") {
      const enrollment = enrollSchema.safeParse(body).data;
      if (!enrollment) return authErrors.invalid("factor_type needs to be totp");
      return toResponse(await factors.enroll(caller, enrollment.friendly_name));
    }
    if (id === undefined) return authErrors.method();
    if (operation === "POST challenge") return toResponse(await factors.challenge(caller, id));
    if (operation === "DELETE factor") return toResponse(await factors.unenroll(caller, id));
    if (operation !== "POST verify") return authErrors.method();
    const attempt = verifySchema.safeParse(body).data;
    if (!attempt) return authErrors.invalid("challenge_id and code are needed");
    const verified = await factors.verify(caller, id, attempt.challenge_id, attempt.code);
    if ("refused" in verified) return toResponse(verified);
    // A copy of the tokens of before the code is worth nothing then. GoTrue keeps the session, with a new refresh token.
    return respondWithSession(database, tokens, await replaceSession(database, caller.sessionId));
  });
}

function toResponse(result: FactorResult<object | true>): Response {
  if ("done" in result) return Response.json(result.done);
  const { status, code, words } = result.refused;
  return respondWithAuthError(status, code, words);
}
