/** Which stretch of the firm's one line is drawn: the whole of it on the home page, a variation or a segment elsewhere. */
export type VitalLineShape = "whole" | "spark" | "rhythm" | "climb" | "network" | "build" | "scale" | "value";

/** All wide shapes share a canvas of 1200 by 320, so that they sit alike on their pages. */
const wide: Record<Exclude<VitalLineShape, "build" | "scale" | "value">, string[]> = {
  whole: ["M0 262H470l26-12 24 12h30l26-118 44 168 34-92 22 42h48c96 0 178-18 262-82 74-56 118-128 214-160"],
  spark: ["M0 250H560l22-10 20 10h26l18-170 30 210 22-64c10 26 26 30 60 30 120 0 240-8 442-52"],
  rhythm: [
    "M0 230h250l16-70 26 112 20-58 12 16h176l16-70 26 112 20-58 12 16h176l16-70 26 112 20-58 12 16h176l16-70 26 112 20-58 12 16h134",
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

/** The three segments continue each other: where one ends, the next begins at the same height. */
const segments: Record<"build" | "scale" | "value", string> = {
  build: "M0 168h150l14-8 14 8h14l16-78 26 100 18-46 12 18h136",
  scale: "M0 162h70l12-34 20 52 14-30c26 0 44-6 60-18l12-34 20 52 14-30c60-10 110-26 178-24",
  value: "M0 96c80 2 130-4 190-26s120-46 210-58",
};

/** Where the network's curves meet: strokes without length, which stay round however the canvas is stretched. */
const knots = ["M330 180h.01", "M930 122h.01"];

/**
 * The vital line, the signature of the site: part pulse, part growth curve. Decorative, a few hundred bytes, drawn once
 * by CSS where motion is welcome.
 */
export function VitalLine({ shape, className = "" }: { shape: VitalLineShape; className?: string }) {
  const isSegment = shape === "build" || shape === "scale" || shape === "value";
  const paths = isSegment ? [segments[shape]] : wide[shape];
  return (
    <svg
      aria-hidden="true"
      viewBox={isSegment ? "0 0 400 200" : "0 0 1200 320"}
      preserveAspectRatio="none"
      className={`vital-line ${className}`}
    >
      {paths.map((path) => (
        <path key={path} d={path} pathLength="1" vectorEffect="non-scaling-stroke" />
      ))}
      {shape === "network"
        ? knots.map((knot) => <path key={knot} d={knot} vectorEffect="non-scaling-stroke" className="knot" />)
        : null}
    </svg>
  );
}
