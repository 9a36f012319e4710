import { type ReactNode, createContext, useContext, useMemo } from "react";
import { formatDayOf, instantFormat, mediumDayOfFormat } from "~/lib/dates";

const TimeZone = createContext("UTC");

/** Sets the time zone (IANA name) of the instants and days inside it. The default is UTC. */
export function TimeZoneProvider({ timeZone, children }: { timeZone: string; children: ReactNode }) {
  return <TimeZone.Provider value={timeZone}>{children}</TimeZone.Provider>;
}

/** Returns a function that formats an instant in the firm's time zone (TIME_ZONE), as its emails do. */
export function useInstantFormat(): (instant: string) => string {
  const timeZone = useContext(TimeZone);
  return useMemo(() => instantFormat(timeZone), [timeZone]);
}

/** Returns a function that formats the day of an instant in the firm's time zone. */
export function useDayFormat(): (instant: string) => string {
  const timeZone = useContext(TimeZone);
  return (instant) => formatDayOf(instant, timeZone);
}

/** Returns a function that formats the day of an instant in the firm's time zone for a row of a list. */
export function useMediumDayFormat(): (instant: string) => string {
  const timeZone = useContext(TimeZone);
  return useMemo(() => mediumDayOfFormat(timeZone), [timeZone]);
}
