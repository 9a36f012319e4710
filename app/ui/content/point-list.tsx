import type { Item } from "./item-list";

/** A few claims, each under a stroke in the line's color. The first leads; the others stand side by side. */
export function PointList({ points }: { points: readonly Item[] }) {
  return (
    <ul className="point-list led">
      {points.map((point) => (
        <li key={point.title}>
          <h3>{point.title}</h3>
          <p className="mt-2">{point.text}</p>
        </li>
      ))}
    </ul>
  );
}
