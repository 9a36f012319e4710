import type { SupabaseClient } from "@supabase/supabase-js";
import { deviceInWords } from "~/lib/http/device-in-words";
import type { SiteContext } from "~/server/site-context.server";
import { findKnownDevice } from "./known-device.server";

/**
 * Notes a sign-in for the account's owner, who is told by mail of one on a device that is new to the account. A failure is
 * logged: nobody is kept out by it.
 * @param supabase with the new session
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
