import { formatMonth } from "~/lib/dates";
import { largestUnit } from "~/lib/time-left";
import type { AnswerTimes } from "./answer-times.server";

/** One row per month, readable on a phone and on paper. */
export function AnswerTimesTable({ months }: { months: readonly AnswerTimes[] }) {
  if (months.length === 0) return <p>No messages in the last 13 months.</p>;
  return (
    <table className="answer-times">
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">Messages</th>
          <th scope="col">Median</th>
          <th scope="col">On time</th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, messages, median_seconds, in_time, judged }) => (
          <tr key={month}>
            <th scope="row">{formatMonth(month)}</th>
            <td>{messages}</td>
            <td>{median_seconds === null ? "–" : largestUnit(median_seconds * 1000)}</td>
            <td>{judged === 0 ? "–" : `${in_time} of ${judged} (${Math.round((100 * in_time) / judged)}%)`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
