import type { User } from "@supabase/supabase-js";
import { BackendUnavailable, secretBackend } from "../_shared/host/backend.ts";
import { answer, bearerToken, refuseUnlessPost } from "../_shared/host/http.ts";
import { logEvent, setting } from "../_shared/host/runtime.ts";

/**
 * Makes the caller an admin if the operator named them: a confirmed address on `ADMIN_EMAILS` (separated by commas).
 * 200 when they are admin now, however often they ask; 403 for everybody else, without saying why; 503 when the
 * backend fails. Nobody becomes admin by being first: an empty list names nobody.
 */
export default { fetch: bootstrapAdmin };

async function bootstrapAdmin(request: Request): Promise<Response> {
  const wrongMethod = refuseUnlessPost(request);
  if (wrongMethod) return wrongMethod;
  const token = bearerToken(request);
  if (!token) return answer(403, { error: "forbidden" });
  try {
    const user = await findUser(token);
    if (!user?.email || !user.email_confirmed_at || !isNamedAdmin(user.email) || isRevoked(user)) {
      return answer(403, { error: "forbidden" });
    }
    await grantAdmin(user.id);
    return answer(200, { ok: true });
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "admin-not-bootstrapped", code });
    return answer(503, { error: "unavailable" });
  }
}

/** Asks the authentication service: a token that was signed out still has a good signature. */
async function findUser(token: string) {
  const { data, error } = await secretBackend().auth.getUser(token);
  const status = error?.status ?? 0;
  const refused = status >= 400 && status < 500 && status !== 429;
  if (error && !refused) throw new BackendUnavailable(error.code ?? `auth-${status}`);
  return data.user;
}

function isNamedAdmin(email: string): boolean {
  const named = (setting("ADMIN_EMAILS") ?? "").split(",").map((entry) => entry.trim().toLowerCase());
  return named.includes(email.toLowerCase());
}

/** Marked by `npm run admin -- revoke`: what an operator took is not given back because a setting was left as it was. */
function isRevoked({ app_metadata }: User): boolean {
  return app_metadata.admin_revoked === true;
}

async function grantAdmin(userId: string): Promise<void> {
  const { error } = await secretBackend()
    .from("user_roles")
    .upsert({ user_id: userId, role: "admin" }, { onConflict: "user_id,role", ignoreDuplicates: true });
  if (error) throw new BackendUnavailable(error.code || "unreachable");
}
