import type { ReactNode } from "react";
import { CountLine } from "~/ui/content/count-line";

/** A table of numbers under the line of one of them. */
export interface CountTableProps {
  /** of the section, within the page */
  id: string;
  title: string;
  /** of the line, the oldest value first */
  line: readonly number[];
  isByMonth: boolean;
  /** of all columns; the first names the rows */
  columns: readonly string[];
  rows: readonly { name: string; numbers: readonly number[] }[];
  /** stands at the end where there is something to add up */
  total?: readonly number[];
  children?: ReactNode;
}

/** One section of the page: what the table says, said again by a line, for those who see it. */
export function CountTable({ id, title, line, isByMonth, columns, rows, total, children }: CountTableProps) {
  const numbers = (of: readonly number[]) =>
    // Numbers have no name of their own; their columns never change places.
    of.map((number, column) => <td key={columns[column + 1]}>{format.format(number)}</td>);
  return (
    <section aria-labelledby={id} className="counts">
      <h3 id={id} className="text-xl">
        {title}
      </h3>
      {rows.length === 0 ? (
        <p className="mt-2">Nothing was counted in this time.</p>
      ) : (
        <>
          <CountLine values={line} />
          <p className="text-(--muted)">{`Highest: ${format.format(Math.max(0, ...line))} in a ${isByMonth ? "month" : "day"}.`}</p>
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
    </section>
  );
}

const format = new Intl.NumberFormat("en-US");
