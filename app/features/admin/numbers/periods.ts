/** The times that the page of numbers can show; the first where its address names none. */
export const periodNames = ["week", "month", "year"] as const;

/** One of {@link periodNames}. */
export type PeriodName = (typeof periodNames)[number];
