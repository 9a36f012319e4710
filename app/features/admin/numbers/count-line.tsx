/** Size of the canvas, which is stretched to the width of its table. The stroke does not scale. */
const [width, height] = [600, 60];

/**
 * A line chart of daily counts, rendered on the server. Hidden from screen readers, because the tables hold the same
 * numbers.
 * @param values oldest first
 */
export function CountLine({ values }: { values: readonly number[] }) {
  const highest = Math.max(1, ...values);
  const step = width / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${Math.round(index * step)} ${Math.round(height - (value / highest) * height)}`,
  );
  return (
    <svg
      viewBox={`0 -2 ${width} ${height + 4}`}
      preserveAspectRatio="none"
      fill="none"
      className="count-line"
      aria-hidden="true"
    >
      <path d={`M0 ${height}H${width}`} className="base" vectorEffect="non-scaling-stroke" />
      <path d={`M${points.join("L")}`} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
