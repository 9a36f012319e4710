import { callHook } from "../host/call-hook.ts";
import { callBackend } from "../host/backend.ts";
import { functionHost, logEvent, setting } from "../host/runtime.ts";
import type { TroubleNotice } from "../mails/trouble-mail.ts";

/**
 * Calls TROUBLE_URL for each trouble that it does not know yet, and for each end (migration "trouble"): a POST of the
 * site's host, the cause and the notice. A call that failed is repeated after a minute, and only the first failure is
 * logged. A process that is killed between the response and its record repeats the call.
 */
export async function callTroubleHook(): Promise<void> {
  const [address, siteUrl] = [setting("TROUBLE_URL"), setting("SITE_URL")];
  if (!address || !siteUrl) return;
  const site = new URL(siteUrl).host;
  const closing = functionHost()?.closing;
  const claimed = await callBackend<DueCall[]>("claim_trouble_calls");
  const failures = await Promise.all(
    claimed.map(async ({ cause, notice }) => {
      const code = await callHook(address, closing, { site, trouble: cause, state: notice });
      if (code === null) await callBackend("settle_trouble_call", { cause, notice });
      return code;
    }),
  );
  const code = failures.find((failure) => failure !== null);
  if (code === undefined || closing?.aborted || claimed.some(({ is_repeated }) => is_repeated)) return;
  const remedy = "none if it passes, as each call is repeated; otherwise correct TROUBLE_URL";
  logEvent({ event: "hook-failed", level: "warn", setting: "TROUBLE_URL", code, remedy });
}

/** A call that is due (claim_trouble_calls). */
interface DueCall extends Pick<TroubleNotice, "cause" | "notice"> {
  is_repeated: boolean;
}
