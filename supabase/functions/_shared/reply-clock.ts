import { isTimeZone, type ReplyClock, replyHoursRange, usualReplyHours } from "../../../app/lib/reply-promise.ts";
import { setting } from "./host/runtime.ts";

/**
 * The settings REPLY_WITHIN_HOURS, REPLY_DAYS and TIME_ZONE. The site refuses to start with others; as function secrets nobody checks them, so
 * what is not understood counts as not set.
 */
export function replyClock(): ReplyClock {
  const timeZone = setting("TIME_ZONE")?.trim() ?? "UTC";
  const hours = Number(setting("REPLY_WITHIN_HOURS"));
  const isPromise = Number.isInteger(hours) && hours >= replyHoursRange.least && hours <= replyHoursRange.most;
  return {
    withinHours: isPromise ? hours : usualReplyHours,
    days: setting("REPLY_DAYS")?.trim() === "business" ? "business" : "all",
    timeZone: timeZone === "UTC" || isTimeZone(timeZone) ? timeZone : "UTC",
  };
}
