import { readClosedDays } from "../../../app/lib/closed-days.ts";
import {
  isTimeZone,
  type ReplyClock,
  replyHoursRange,
  usualReplyHours,
  usualTimeZone,
} from "../../../app/lib/reply-promise.ts";
import { setting } from "./host/runtime.ts";

/**
 * Reads the settings REPLY_WITHIN_HOURS, REPLY_DAYS, CLOSED_DAYS and TIME_ZONE. The site refuses to start with invalid values, but
 * function secrets are not validated, so an invalid value counts as unset here.
 */
export function readReplyClock(): ReplyClock {
  const timeZone = setting("TIME_ZONE")?.trim() ?? usualTimeZone;
  const hours = Number(setting("REPLY_WITHIN_HOURS"));
  const isPromise = Number.isInteger(hours) && hours >= replyHoursRange.least && hours <= replyHoursRange.most;
  return {
    withinHours: isPromise ? hours : usualReplyHours,
    days: setting("REPLY_DAYS")?.trim() === "business" ? "business" : "all",
    closed: readClosedDays(setting("CLOSED_DAYS") ?? ""),
    timeZone: timeZone === usualTimeZone || isTimeZone(timeZone) ? timeZone : usualTimeZone,
  };
}
