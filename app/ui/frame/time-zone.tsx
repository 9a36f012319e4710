import { type ReactNode, createContext, useContext, useMemo } from "react";
import { formatDayOf, instantFormat } from "~/lib/dates";

const TimeZone = createContext("UTC");

/** Says in which time zone (IANA name) the pages within it tell instants and their days; UTC outside of it. */
export function TimeZoneProvider({ timeZone, children }: { timeZone: string; children: ReactNode }) {
  return <TimeZone.Provider value={timeZone}>{children}</TimeZone.Provider>;
}

/** Writes instants in the page's time zone, which is the firm's own (TIME_ZONE), as in its mails. */
export function useInstantFormat(): (instant: string) => string {
  const timeZone = useContext(TimeZone);
  return useMemo(() => instantFormat(timeZone), [timeZone]);
}

/** Writes the days of instants in the page's time zone. */
export function useDayFormat(): (instant: string) => string {
  const timeZone = useContext(TimeZone);
  return (instant) => formatDayOf(instant, timeZone);
}
