import { BackendUnavailable, secretBackend } from "../_shared/host/backend.ts";
import { answer, bearerToken, readJson, refuseUnlessPost } from "../_shared/host/http.ts";
import { logEvent } from "../_shared/host/runtime.ts";
import { findSignedInUser, readSessionId } from "../_shared/host/signed-in-user.ts";
import { digestOfToken } from "../_shared/secret-token.ts";

/**
 * Takes the codes that the authentication service does not know, from somebody who is signed in: `{ use: "recovery", code }`,
 * after which their second factor is gone, or `{ use: "setup", code }` with the setup code that the operator made for them. Either ends
 * their other sessions, and lets this one set up a factor that counts where one is required, for 15 minutes.
 * 200 when the code was right, 403 when it was not, or the caller is not signed in; 409 for a setup code of somebody who has a
 * second factor; 429 after five tries of one session in 15 minutes; 400 for another body; 503 when the backend fails.
 */
export default { fetch: takeCode };

async function takeCode(request: Request): Promise<Response> {
  const wrongMethod = refuseUnlessPost(request);
  if (wrongMethod) return wrongMethod;
  const body = await readJson(request);
  if ("refusal" in body) return body.refusal;
  const wish = readWish(body.value);
  if (!wish) return answer(400, { error: "invalid" });
  const token = bearerToken(request);
  if (!token) return answer(403, { error: "forbidden" });
  try {
    const user = await findSignedInUser(token);
    if (!user) return answer(403, { error: "forbidden" });
    const caller = { person: user.id, own_session: readSessionId(token) };
    const result = await useCode(wish, caller);
    logEvent({ event: "second-factor.code", use: wish.use, result });
    if (result === "right") return answer(200, { ok: true });
    if (result === "has-factor") return answer(409, { error: result });
    return result === "wait"
      ? answer(429, { error: "too-many" }, { "Retry-After": "900" })
      : answer(403, { error: "wrong-code" });
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "second-factor.code-not-taken", code });
    return answer(503, { error: "unavailable" });
  }
}

interface Wish {
  use: "recovery" | "setup";
  code: string;
}

function readWish(value: unknown): Wish | null {
  if (typeof value !== "object" || value === null || !("use" in value) || !("code" in value)) return null;
  const { use, code } = value;
  if ((use !== "recovery" && use !== "setup") || typeof code !== "string") return null;
  return { use, code };
}

/** Who calls, and in which of their sessions: all others end with the factor. */
interface Caller {
  person: string;
  own_session: string;
}

/** However it was typed from paper: case, spaces and hyphens do not matter. */
async function useCode({ use, code }: Wish, caller: Caller): Promise<string> {
  const digits = code
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^0-9a-f]/g, "");
  const parameters = { ...caller, code_digest: await digestOfToken(digits) };
  const name = use === "recovery" ? "use_recovery_code" : "use_setup_code";
  const { data, error } = await secretBackend().rpc(name, parameters);
  if (error) throw new BackendUnavailable(error.code || "unreachable");
  return String(data);
}
