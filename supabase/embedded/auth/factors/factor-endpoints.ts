import { z } from "zod";
import type { AuthRequest } from "../auth-request.ts";
import { authErrors } from "../auth-error.ts";
import { replaceSession, respondWithSession } from "../sign-in.ts";
import { Factors } from "./factors.ts";
import type { Seal } from "./sealed-secret.ts";

const enrollSchema = z.object({ factor_type: z.literal("totp"), friendly_name: z.string().max(100).default("") });
const verifySchema = z.object({ challenge_id: z.uuid(), code: z.string().max(20) });

/**
 * Serves GoTrue's endpoints of second factors: POST /factors, POST /factors/:id/challenge and /verify, DELETE
 * /factors/:id.
 * @param id in the path; absent for /factors
 */
export async function handleFactorRequest(
  { method, body, issuer, tokens, asCaller }: AuthRequest,
  seal: Seal,
  id = "",
  step = id ? "factor" : "factors",
): Promise<Response> {
  return asCaller(async (database, caller) => {
    const factors = new Factors(database, caller, seal, issuer);
    switch (`${method} ${step}`) {
      case "POST factors": {
        const enrollment = enrollSchema.safeParse(body).data;
        return enrollment
          ? factors.enroll(enrollment.friendly_name)
          : authErrors.invalid("factor_type needs to be totp");
      }
      case "POST challenge":
        return factors.challenge(id);
      case "DELETE factor":
        return factors.unenroll(id);
      case "POST verify": {
        const attempt = verifySchema.safeParse(body).data;
        if (!attempt) return authErrors.invalid("challenge_id and code are needed");
        const refusal = await factors.verify(id, attempt.challenge_id, attempt.code);
        if (refusal) return refusal;
        // A copy of the tokens of before the code is worth nothing then. GoTrue keeps the session, with a new refresh token.
        return respondWithSession(database, tokens, await replaceSession(database, caller.sessionId));
      }
      default:
        return authErrors.method();
    }
  });
}
