import type { EmailDriver } from "@supabase/lite";
import type { BackendLog } from "../log.ts";

/**
 * Drops the mail of lite's sign-in service. This product has no reset flow, and lite's own default prints reset links
 * to the console, where a reader of the log could take over an account. Neither address nor link is logged.
 */
export function droppedAuthMail(log: BackendLog): EmailDriver {
  return {
    async send() {
      log({ event: "embedded.auth-mail-dropped" });
    },
  };
}
