/** Periods of the numbers page. The first is the default. */
export const periodNames = ["week", "month", "year"] as const;

/** One of {@link periodNames}. */
export type PeriodName = (typeof periodNames)[number];

/** Periods in words. */
export const periodWords: Record<PeriodName, string> = {
  week: "Last 7 days",
  month: "Last 30 days",
  year: "Last 13 months",
};

/** Selects the period by GET, so that its URL can be bookmarked. */
export function PeriodForm({ period }: { period: PeriodName }) {
  return (
    <form method="get" action="/admin/numbers" className="period-form">
      <label htmlFor="period" className="font-semibold">
        Period
      </label>
      <select id="period" name="period" defaultValue={period} className="control">
        {periodNames.map((name) => (
          <option key={name} value={name}>
            {periodWords[name]}
          </option>
        ))}
      </select>
      <button className="button button-quiet">Show</button>
    </form>
  );
}
