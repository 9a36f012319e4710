import type { SupabaseClient } from "@supabase/supabase-js";
import { deviceInWords } from "~/lib/http/device-in-words";
import type { SiteContext } from "~/server/site-context.server";
import { findKnownDevice } from "./known-device.server";

/**
 * Records a sign-in for the account's owner, who gets an email if the device is new to the account. Logs a failure: it
 * must not block the sign-in.
 * @param supabase holds the new session
 */
export async function recordSignIn(
  site: SiteContext,
  supabase: SupabaseClient,
  request: Request,
  email: string,
): Promise<void> {
  const { error } = await supabase.rpc("record_sign_in", {
    device: deviceInWords(request.headers.get("user-agent")),
    is_new_device: (await findKnownDevice(site, request, email)) === null,
  });
  if (error) site.log.error({ event: "login.not-noted", code: error.code });
}
