import { type ReactNode, createContext, useContext, useMemo } from "react";
import { formatInstant, instantFormat } from "~/lib/dates";

const InstantFormat = createContext(formatInstant);

/** Says in which time zone (IANA name) the pages within it tell instants; UTC outside of it. */
export function TimeZoneProvider({ timeZone, children }: { timeZone: string; children: ReactNode }) {
  const format = useMemo(() => instantFormat(timeZone), [timeZone]);
  return <InstantFormat.Provider value={format}>{children}</InstantFormat.Provider>;
}

/** What writes an instant in the page's time zone: in the admin area that is the firm's own (TIME_ZONE), as in its mails. */
export function useInstantFormat(): (instant: string) => string {
  return useContext(InstantFormat);
}
