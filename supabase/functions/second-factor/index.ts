import { normalizeLine } from "../../../app/lib/plain-text.ts";
import { areEqual } from "../_shared/host/are-equal.ts";
import { BackendUnavailable, secretBackend } from "../_shared/host/backend.ts";
import { answer, bearerToken, readJson, refuseUnlessPost } from "../_shared/host/http.ts";
import { logEvent, setting } from "../_shared/host/runtime.ts";
import { findSignedInUser, readSessionId } from "../_shared/host/signed-in-user.ts";
import { digestOfToken } from "../_shared/secret-token.ts";

/**
 * Takes the codes that the authentication service does not know, from somebody who is signed in: `{ use: "recovery", code }`,
 * after which their second factor is gone, or `{ use: "setup", code }` with the operator's setup code, after which
 * a factor that they set up counts where one is required. Either ends their other sessions.
 * 200 when the code was right, 403 when it was not, or the caller is not signed in; 429 after five tries in 15 minutes;
 * 400 for another body; 503 when the backend fails.
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
    const result =
      wish.use === "recovery" ? await useRecoveryCode(caller, wish.code) : await useSetupCode(caller, wish.code);
    logEvent({ event: "second-factor.code", use: wish.use, result });
    if (result === "right") return answer(200, { ok: true });
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
async function useRecoveryCode(caller: Caller, code: string): Promise<string> {
  const digits = code
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^0-9a-f]/g, "");
  return call("use_recovery_code", { ...caller, code_digest: await digestOfToken(digits) });
}

/** Where the operator has set no code, none is right. */
async function useSetupCode(caller: Caller, code: string): Promise<string> {
  const wanted = setting("SECOND_FACTOR_SETUP_CODE");
  return call("use_setup_code", {
    ...caller,
    is_right: wanted !== undefined && (await areEqual(normalizeLine(code), normalizeLine(wanted))),
  });
}

async function call(name: string, parameters: Record<string, unknown>): Promise<string> {
  const { data, error } = await secretBackend().rpc(name, parameters);
  if (error) throw new BackendUnavailable(error.code || "unreachable");
  return String(data);
}
