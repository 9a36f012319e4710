import type { User } from "@supabase/supabase-js";
import { callBackend } from "../_shared/host/backend.ts";
import { readBearerToken, respond, respondToPosts } from "../_shared/host/http.ts";
import { setting } from "../_shared/host/runtime.ts";
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
export default respondToPosts({
  failure: "admin-not-bootstrapped",
  async serve(request) {
    const token = readBearerToken(request);
    const user = token && (await findSignedInUser(token));
    if (!user) return respond(403, { error: "forbidden" });
    await callBackend("require_second_factor", { wanted: setting("ADMIN_SECOND_FACTOR") === "required" });
    // False for a person whom an admin or the operator removed: an unchanged setting must not restore the role.
    const isAdmin = isNamedAdmin(user) && (await callBackend("grant_named_admin", { user_id: user.id })) === true;
    return isAdmin ? respond(200, { ok: true }) : respond(403, { error: "forbidden" });
  },
});

function isNamedAdmin({ email, email_confirmed_at }: User): boolean {
  if (!email || !email_confirmed_at) return false;
  const named = parseAddressList(setting("ADMIN_EMAILS") ?? "");
  return named.some((mailbox) => mailbox?.address.toLowerCase() === email.toLowerCase());
}
