import type { Item } from "./item-list";

/** A few claims side by side, each under a stroke in the line's color. */
export function PointList({ points }: { points: readonly Item[] }) {
  return (
    <ul className="point-list">
      {points.map((point) => (
        <li key={point.title}>
          <h3 className="text-2xl">{point.title}</h3>
          <p className="mt-3 max-w-[33.5em]">{point.text}</p>
        </li>
      ))}
    </ul>
  );
}
