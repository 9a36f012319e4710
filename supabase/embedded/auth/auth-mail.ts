import type { EmailDriver } from "@supabase/lite";
import type { BackendLog } from "../log.ts";

/**
 * Drops the mail of lite's sign-in service. This product has no reset flow, and lite by default prints reset links to
 * the console, where anyone who can read the log could take over an account. Neither the address nor the link is
 * logged.
 */
export function dropAuthMail(log: BackendLog): EmailDriver {
  return {
    async send() {
      log({ event: "embedded.auth-mail-dropped" });
    },
  };
}
