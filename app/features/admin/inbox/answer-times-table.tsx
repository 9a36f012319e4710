import { answerTimesPage } from "~/content/account/answer-times";
import { formatMonth } from "~/lib/dates";
import { largestUnit } from "~/lib/time-left";
import type { AnswerTimes } from "./answer-times.server";

/** A row a month, readable on a phone and on paper. */
export function AnswerTimesTable({ months }: { months: readonly AnswerTimes[] }) {
  const { columns, none, empty } = answerTimesPage;
  if (months.length === 0) return <p>{empty}</p>;
  return (
    <table className="answer-times">
      <thead>
        <tr>
          {Object.entries(columns).map(([name, label]) => (
            <th key={name} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, messages, median_seconds, in_time, judged }) => (
          <tr key={month}>
            <th scope="row">{formatMonth(month)}</th>
            <td>{messages}</td>
            <td>{median_seconds === null ? none : largestUnit(median_seconds * 1000)}</td>
            <td>{judged === 0 ? none : `${in_time} of ${judged} (${Math.round((100 * in_time) / judged)}%)`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
