import { BackendUnavailable, secretBackend } from "../_shared/host/backend.ts";
import { respond, readBearerToken, refuseUnlessPost } from "../_shared/host/http.ts";
import { logEvent, setting } from "../_shared/host/runtime.ts";
import { findSignedInUser } from "../_shared/host/signed-in-user.ts";
import { parseAddressList } from "../_shared/mails/address-list.ts";

/**
 * Makes the caller an admin if their confirmed address is on `ADMIN_EMAILS`, which has the same syntax as `CONTACT_TO`.
 *
 * 200 when they are an admin now, on every call; 403 for everyone else, without a reason; 503 when the backend fails.
 * The first user gets no special rights: an empty list makes no admin.
 *
 * Runs at every sign-in, so it also tells the database whether a second factor is required
 * (`ADMIN_SECOND_FACTOR=required`).
 */
export default { fetch: bootstrapAdmin };

async function bootstrapAdmin(request: Request): Promise<Response> {
  const wrongMethod = refuseUnlessPost(request);
  if (wrongMethod) return wrongMethod;
  const token = readBearerToken(request);
  if (!token) return respond(403, { error: "forbidden" });
  try {
    const user = await findSignedInUser(token);
    if (user) await applySecondFactorRule();
    if (!user?.email || !user.email_confirmed_at || !isNamedAdmin(user.email)) {
      return respond(403, { error: "forbidden" });
    }
    return (await grantAdmin(user.id)) ? respond(200, { ok: true }) : respond(403, { error: "forbidden" });
  } catch (error) {
    const code = error instanceof BackendUnavailable ? error.code : "unexpected";
    logEvent({ event: "admin-not-bootstrapped", code });
    return respond(503, { error: "unavailable" });
  }
}

function isNamedAdmin(email: string): boolean {
  const named = parseAddressList(setting("ADMIN_EMAILS") ?? "");
  return named.some((mailbox) => mailbox?.address.toLowerCase() === email.toLowerCase());
}

/**
 * @returns false for a person whom an admin or the operator removed: an unchanged setting must not restore the role
 */
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
