import { numbersPage } from "~/content/account/numbers";
import { type PeriodName, periodNames } from "./periods";

/** Chooses the time that is shown; its address can be kept as a bookmark. */
export function PeriodForm({ period }: { period: PeriodName }) {
  const { label, submit, ...names } = numbersPage.period;
  return (
    <form method="get" action="/admin/numbers" className="period-form">
      <label htmlFor="period" className="font-semibold">
        {label}
      </label>
      <select id="period" name="period" defaultValue={period} className="control">
        {periodNames.map((name) => (
          <option key={name} value={name}>
            {names[name]}
          </option>
        ))}
      </select>
      <button className="button button-quiet">{submit}</button>
    </form>
  );
}
