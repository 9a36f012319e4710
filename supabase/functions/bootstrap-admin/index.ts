import { BackendUnavailable, secretBackend } from "../_shared/host/backend.ts";
import { answer, bearerToken, refuseUnlessPost } from "../_shared/host/http.ts";
import { logEvent, setting } from "../_shared/host/runtime.ts";
import { findSignedInUser } from "../_shared/host/signed-in-user.ts";
import { applyTimeZone } from "../_shared/time-zone.ts";
import { parseAddressList } from "../_shared/mails/address-list.ts";

/**
 * Makes the caller an admin if the operator named them: a confirmed address on `ADMIN_EMAILS`, which is written as `CONTACT_TO` is.
 * 200 when they are admin now, however often they ask; 403 for everybody else, without saying why; 503 when the
 * backend fails. Nobody becomes admin by being first: an empty list names nobody.
 *
 * Called at every sign-in, it also tells the database whether the operator requires a second factor
 * (`ADMIN_SECOND_FACTOR=required`), and where the firm is (`TIME_ZONE`).
 */
export default { fetch: bootstrapAdmin };

async function bootstrapAdmin(request: Request): Promise<Response> {
  const wrongMethod = refuseUnlessPost(request);
  if (wrongMethod) return wrongMethod;
  const token = bearerToken(request);
  if (!token) return answer(403, { error: "forbidden" });
  try {
    const user = await findSignedInUser(token);
    if (user) await Promise.all([applySecondFactorRule(), applyTimeZone()]);
    if (!user?.email || !user.email_confirmed_at || !isNamedAdmin(user.email)) {
      return answer(403, { error: "forbidden" });
    }
    return (await grantAdmin(user.id)) ? answer(200, { ok: true }) : answer(403, { error: "forbidden" });
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "admin-not-bootstrapped", code });
    return answer(503, { error: "unavailable" });
  }
}

function isNamedAdmin(email: string): boolean {
  const named = parseAddressList(setting("ADMIN_EMAILS") ?? "");
  return named.some((mailbox) => mailbox?.address.toLowerCase() === email.toLowerCase());
}

/** @returns false for somebody whom an admin or the operator removed: no setting that was left as it was brings the role back */
async function grantAdmin(userId: string): Promise<boolean> {
  const { data, error } = await secretBackend().rpc("grant_named_admin", { user_id: userId });
  if (error) throw new BackendUnavailable(error.code || "unreachable");
  return data === true;
}

async function applySecondFactorRule(): Promise<void> {
  const wanted = setting("ADMIN_SECOND_FACTOR") === "required";
  const { error } = await secretBackend().rpc("require_second_factor", { wanted });
  if (error) throw new BackendUnavailable(error.code || "unreachable");
}
