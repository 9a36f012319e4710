import type { ReactNode } from "react";

/** Names of the drawings. Each has a fixed number of labels. */
export type DrawingName = "overlap" | "owner" | "capacity" | "gate";

/** Props of {@link Drawing}. */
export interface DrawingProps {
  name: DrawingName;
  /** one or two sentences for screen readers, instead of the labels */
  description: string;
  /** the labels, in the order of their positions */
  words: readonly string[];
}

interface LabelPosition {
  x: number;
  y: number;
  anchor?: "start" | "end";
}

/** Positions of the labels. All drawings share a canvas of 320 by 240. */
const labelPositions: Record<DrawingName, readonly LabelPosition[]> = {
  overlap: [
    { x: 84, y: 74 },
    { x: 235, y: 74 },
    { x: 160, y: 196 },
  ],
  owner: [
    { x: 80, y: 216 },
    { x: 240, y: 216 },
  ],
  capacity: [
    { x: 222, y: 34, anchor: "end" },
    { x: 250, y: 172, anchor: "start" },
  ],
  gate: [
    { x: 16, y: 108, anchor: "start" },
    { x: 308, y: 44, anchor: "end" },
    { x: 308, y: 147, anchor: "end" },
    { x: 308, y: 217, anchor: "end" },
  ],
};

/** Returns the corners of a pentagon with a radius of 58. */
const corners = (x: number): [number, number][] => [
  [x, 32],
  [x + 55, 72],
  [x + 34, 137],
  [x - 34, 137],
  [x - 55, 72],
];

const spokes = corners(80).map(([x, y]) => `M80 90L${x} ${y}`);
const ring = `M${corners(240)
  .map(([x, y]) => `${x} ${y}`)
  .join("L")}z`;

const shapes: Record<DrawingName, ReactNode> = {
  overlap: (
    <>
      <circle cx="108" cy="80" r="76" />
      <circle cx="212" cy="80" r="76" />
      <circle cx="160" cy="160" r="76" />
      <Knot x={160} y={108} isLarge />
    </>
  ),
  owner: (
    <>
      <path d={spokes.join("")} />
      <path d={ring} />
      <Knot x={80} y={90} isLarge />
      {[...corners(80), ...corners(240)].map(([x, y]) => (
        <Knot key={`${x} ${y}`} x={x} y={y} />
      ))}
      <Knot x={304} y={170} isLarge />
    </>
  ),
  capacity: (
    <>
      <path d="M8 184h78v-48h72V88h72V40h82" opacity="0.55" />
      <path d="M8 226c110-4 190-44 304-150" />
      <Knot x={312} y={76} isLarge />
    </>
  ),
  gate: (
    <>
      <path d="M8 124h132M164 124c50 0 60-68 148-68M164 124h148M164 124c50 0 60 70 148 70" />
      <path d="M146 84v80M158 84v80" opacity="0.55" />
      <Knot x={8} y={124} isLarge />
    </>
  ),
};

/** A drawing in the colors of its section. */
export function Drawing({ name, description, words }: DrawingProps) {
  return (
    <figure>
      <figcaption className="sr-only">{description}</figcaption>
      <svg
        viewBox="0 0 320 240"
        aria-hidden="true"
        className="w-full max-w-sm"
        fill="none"
        stroke="var(--vital)"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {shapes[name]}
        <g fill="currentColor" stroke="none" fontSize="17" textAnchor="middle">
          {labelPositions[name].map(({ x, y, anchor }, index) => (
            <text key={words[index]} x={x} y={y} textAnchor={anchor}>
              {words[index]}
            </text>
          ))}
        </g>
      </svg>
    </figure>
  );
}

function Knot({ x, y, isLarge = false }: { x: number; y: number; isLarge?: boolean }) {
  return <circle cx={x} cy={y} r={isLarge ? 7 : 4} fill="var(--vital)" />;
}
