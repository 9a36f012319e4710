import type { ReactNode } from "react";
import { CountLine } from "./count-line";

/** A table of numbers below a line chart of one of its columns. */
export interface CountTableProps {
  /** HTML id of the section */
  id: string;
  title: string;
  /** values of the line chart, oldest first */
  line: readonly number[];
  isByMonth: boolean;
  /** column headings; the first column names the rows */
  columns: readonly string[];
  rows: readonly { name: string; numbers: readonly number[] }[];
  /** totals for the last row, if they make sense */
  total?: readonly number[];
  children?: ReactNode;
}

/** One folded part of the page. The line chart repeats the table for sighted readers. */
export function CountTable({ id, title, line, isByMonth, columns, rows, total, children }: CountTableProps) {
  const numbers = (of: readonly number[]) =>
    // Keys by column: the order of the columns never changes.
    of.map((number, column) => <td key={columns[column + 1]}>{format.format(number)}</td>);
  const highest = Math.max(0, ...line);
  return (
    <details className="counts">
      <summary>
        <h3 id={id}>{title}</h3>
      </summary>
      {rows.every((row) => row.numbers.every((number) => number === 0)) ? (
        <p className="mt-2">Nothing was counted in this period.</p>
      ) : (
        <>
          {highest === 0 ? null : (
            <>
              <CountLine values={line} />
              <p className="text-(--muted)">{`Highest: ${format.format(highest)} in a ${isByMonth ? "month" : "day"}.`}</p>
            </>
          )}
          {children}
          <table className="answer-times count-table">
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.name}>
                  <th scope="row">{row.name}</th>
                  {numbers(row.numbers)}
                </tr>
              ))}
            </tbody>
            {total === undefined ? null : (
              <tfoot>
                <tr>
                  <th scope="row">Total</th>
                  {numbers(total)}
                </tr>
              </tfoot>
            )}
          </table>
        </>
      )}
    </details>
  );
}

const format = new Intl.NumberFormat("en-US");
