/** Periods of the numbers page. The first is the default. */
export const periodNames = ["week", "month", "year"] as const;

/** One of {@link periodNames}. */
export type PeriodName = (typeof periodNames)[number];
