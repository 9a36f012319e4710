import { createContext, useContext } from "react";
import { instantFormat } from "~/lib/dates";

const TimeZone = createContext("UTC");

/** Says in which time zone the pages within it tell instants; UTC outside of it. */
export const TimeZoneProvider = TimeZone.Provider;

/** What writes an instant in the page's time zone: in the admin area that is the firm's own (TIME_ZONE), as in its mails. */
export function useInstantFormat(): (instant: string) => string {
  return instantFormat(useContext(TimeZone));
}
