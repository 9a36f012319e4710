import type { ReactNode } from "react";

/** The three segments of the line that belong to the service pages, from left to right. */
export type VitalLineSegment = "build" | "scale" | "value";

/** Shape of the line on a page: the whole line, a variation, or all segments with one highlighted. */
export type VitalLineShape = "whole" | "spark" | "rhythm" | "climb" | "network" | VitalLineSegment;

/** All shapes share a canvas of 1200 by 320, so that they align on all pages. */
const variations: Record<Exclude<VitalLineShape, VitalLineSegment>, string[]> = {
  whole: ["M0 262H470l26-12 24 12h30l26-118 44 168 34-92 22 42h48c96 0 178-18 262-82 74-56 118-128 214-160"],
  spark: ["M0 250H560l22-10 20 10h26l18-170 30 210 22-64c10 26 26 30 60 30 120 0 240-8 442-52"],
  rhythm: [
    "M0 230h250l16-70 26 112 20-58 12 16h176l16-70 26 112 20-58 12 16h176l16-70 26 112 20-58 12 16h176l16-70 26 112 20-58 12 16h126",
  ],
  climb: [
    "M0 290h190l14-50 24 78 18-42 10 14c60 0 96-14 132-46l16-52 24 78 18-42c62-10 108-28 150-66l18-54 24 78 18-44c120-34 230-96 544-160",
  ],
  network: [
    "M0 276c160 0 224-20 330-96s180-84 300-84 200 26 300 26 170-40 270-72",
    "M0 196c140 0 220 22 330-16s190 60 300 60 190-118 300-118 180 10 270-14",
    "M0 116c120 0 210 24 330 64s160 100 300 100 210-60 300-158 160-50 270-6",
  ],
};

/** Each segment takes a third of the canvas and begins at the height where the previous one ends. */
const segments: Record<VitalLineSegment, { left: number; path: string }> = {
  build: { left: 0, path: "M0 269h150l14-13 14 13h14l16-125 26 160 18-74 12 29h136" },
  scale: { left: 400, path: "M400 259h70l12-54 20 83 14-48c26 0 44-10 60-29l12-54 20 83 14-48c60-16 110-42 178-38" },
  value: { left: 800, path: "M800 154c80 3 130-6 190-42s120-74 210-93" },
};

/**
 * Points where the network's curves meet. They are strokes without length, which stay round when the canvas is
 * stretched.
 */
const knots = ["M330 180h.01", "M930 122h.01"];

/** All segments in one stroke: separate translucent strokes would overlap in a darker dot where they meet. */
const allSegments = Object.values(segments)
  .map(({ path }) => path)
  .join("");

/**
 * The vital line, the site's signature: part pulse, part growth curve. Decorative, a few hundred bytes. CSS reveals it
 * once, unless reduced motion is preferred. A service page shows all segments faint and its own in full color.
 */
export function VitalLine({ shape, className }: { shape: VitalLineShape; className?: string }) {
  const paths = isSegment(shape) ? [segments[shape].path] : variations[shape];
  return (
    <Canvas viewBox="0 0 1200 320" className={className}>
      {isSegment(shape) ? <Stroke path={allSegments} opacity={0.3} /> : null}
      {paths.map((path) => (
        <Stroke key={path} path={path} />
      ))}
      {shape === "network" ? knots.map((knot) => <Stroke key={knot} path={knot} className="knot" />) : null}
    </Canvas>
  );
}

/** One segment alone, for cards that join three of them into the line. */
export function LineSegment({ segment, className }: { segment: VitalLineSegment; className?: string }) {
  const { left, path } = segments[segment];
  return (
    <Canvas viewBox={`${left} 0 400 320`} className={className}>
      <Stroke path={path} />
    </Canvas>
  );
}

function isSegment(shape: VitalLineShape): shape is VitalLineSegment {
  return shape in segments;
}

/** An SVG canvas that stretches to the size set by its class. */
function Canvas({ viewBox, className = "", children }: { viewBox: string; className?: string; children: ReactNode }) {
  return (
    <svg aria-hidden="true" viewBox={viewBox} preserveAspectRatio="none" className={`vital-line ${className}`}>
      {children}
    </svg>
  );
}

/**
 * A stroke of constant width on a stretched canvas. Do not dash it: browsers measure `pathLength` on the original path
 * but dash the stretched one, so a dash of the whole length ends too early.
 */
function Stroke({ path, ...attributes }: { path: string; className?: string; opacity?: number }) {
  return <path d={path} vectorEffect="non-scaling-stroke" {...attributes} />;
}
