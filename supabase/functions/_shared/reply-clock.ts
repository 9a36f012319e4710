import { isTimeZone, type ReplyClock } from "../../../app/lib/reply-promise.ts";
import { setting } from "./host/runtime.ts";

/**
 * The settings REPLY_DAYS and TIME_ZONE. The site refuses to start with others; as function secrets nobody checks them, so
 * what is not understood counts as not set.
 */
export function replyClock(): ReplyClock {
  const timeZone = setting("TIME_ZONE")?.trim() ?? "UTC";
  return {
    days: setting("REPLY_DAYS")?.trim() === "business" ? "business" : "all",
    timeZone: isTimeZone(timeZone) ? timeZone : "UTC",
  };
}
