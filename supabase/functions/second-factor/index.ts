import { z } from "zod";
import { readCode } from "../../../app/lib/typed-code.ts";
import { callBackend } from "../_shared/host/backend.ts";
import { readBearerToken, readJson, respond, respondToPosts } from "../_shared/host/http.ts";
import { logEvent } from "../_shared/host/runtime.ts";
import { findSignedInUser, readSessionId } from "../_shared/host/signed-in-user.ts";
import { digestOfToken } from "../_shared/secret-token.ts";

/**
 * Accepts the codes that the authentication service does not know, from a signed-in user: `{ use: "recovery", code }`,
 * which removes their second factor, or `{ use: "setup", code }` with the setup code that the operator created for
 * them. Both end their other sessions and permit this one to enroll a trusted factor for 15 minutes.
 *
 * 200 when the code was right; 403 when it was wrong, or the caller is not signed in; 409 for a setup code of a user
 * who has a second factor; 429 after five attempts of one session in 15 minutes; 400 for another body; 503 when the
 * backend fails.
 */
export default respondToPosts({
  failure: "second-factor.code-not-taken",
  async serve(request) {
    const body = await readJson(request);
    if ("refusal" in body) return body.refusal;
    const parsed = codeRequestSchema.safeParse(body.value);
    if (!parsed.success) return respond(400, { error: "invalid" });
    const token = readBearerToken(request);
    const user = token === null ? null : await findSignedInUser(token);
    if (token === null || user === null) return respond(403, { error: "forbidden" });
    const caller = { person: user.id, own_session: readSessionId(token) };
    const result = await useCode(parsed.data, caller);
    logEvent({ event: "second-factor.code", use: parsed.data.use, result });
    if (result === "right") return respond(200, { ok: true });
    if (result === "has-factor") return respond(409, { error: result });
    return result === "wait"
      ? respond(429, { error: "too-many" }, { "Retry-After": "900" })
      : respond(403, { error: "wrong-code" });
  },
});

const codeRequestSchema = z.object({ use: z.enum(["recovery", "setup"]), code: z.string() });

/** The caller and the session that survives: all others end with the factor. */
interface Caller {
  person: string;
  own_session: string;
}

/** Ignores case, spaces and hyphens, because people type the code from paper. */
async function useCode({ use, code }: z.output<typeof codeRequestSchema>, caller: Caller): Promise<string> {
  const digits = readCode(code)
    .toLowerCase()
    .replaceAll(/[^0-9a-f]/g, "");
  const parameters = { ...caller, code_digest: await digestOfToken(digits) };
  const name = use === "recovery" ? "use_recovery_code" : "use_setup_code";
  return String(await callBackend(name, parameters));
}
