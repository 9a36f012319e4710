/** Names of the drawings. Each has a fixed number of labels. */
export type DrawingName =
  "overlap" | "owner" | "capacity" | "gate" | "signature" | "shifts" | "balance" | "checklist" | "chairs";

/** Props of {@link Drawing}. */
export interface DrawingProps {
  name: DrawingName;
  /** one or two sentences for screen readers, instead of the labels */
  description: string;
  /** the labels, in the order of their positions */
  words: readonly string[];
}

/** Strokes by weight, on a canvas of 320 by 240. */
interface Strokes {
  /** leads from the end of the page's line, whose height hero.css explains, into the drawing */
  inlet?: string;
  main: string;
  faint?: string;
  /** strokes without length */
  dots?: string;
  "big-dots"?: string;
  /** x, y and, unless it is the middle, `text-anchor` of each label */
  labels: string;
}

const drawings: Record<DrawingName, Strokes> = {
  overlap: {
    inlet: "M0 296.4C60 288 90 236 160 236",
    main: "M32 80a76 76 0 1 0 152 0a76 76 0 1 0-152 0M136 80a76 76 0 1 0 152 0a76 76 0 1 0-152 0M84 160a76 76 0 1 0 152 0a76 76 0 1 0-152 0",
    "big-dots": "M160 108h.01",
    labels: "84,74 235,74 160,196",
  },
  owner: {
    inlet: "M0 308.2C36 308 46 250 46 187",
    main: "M80 140V82M80 140l55-18M80 140l34 47M80 140l-34 47M80 140l-55-18M240 82l55 40-21 65h-68l-21-65z",
    dots: "M80 82h.01M135 122h.01M114 187h.01M46 187h.01M25 122h.01M240 82h.01M295 122h.01M274 187h.01M206 187h.01M185 122h.01",
    "big-dots": "M80 140h.01M304 220h.01",
    labels: "80,32 238,32",
  },
  capacity: {
    main: "M0 195.4c90-13 200-40 312-119",
    faint: "M8 170h78v-46h72V80h72V32h82",
    "big-dots": "M312 76h.01",
    labels: "222,24,end 250,172,start",
  },
  gate: {
    inlet: "M0 226.3C50 200 50 124 110 124M0 252.7C56 236 56 124 120 124M0 256.3C70 254 64 124 130 124",
    main: "M8 124h132M164 124c50 0 60-68 148-68M164 124h148M164 124c50 0 60 70 148 70",
    faint: "M146 84v80M158 84v80",
    "big-dots": "M8 124h.01",
    labels: "16,104,start 308,44,end 308,147,end 308,217,end",
  },
  signature: {
    inlet: "M0 212.3C50 210 90 208 118 186",
    main: "M118 186c16-12 34-52 24-58s-24 46-16 56 22-10 28-20 8-2 6 8 12 6 18-6 6 16 16 8 8-14 12-6 0 18 10 12 12-22 18-28-2 30 8 28 26-8 44-20",
    faint: "M84 8h220v228H84zM112 48h112M112 78h164M112 108h136M112 198h164",
    labels: "192,222",
  },
  shifts: {
    inlet: "M0 212.3C14 208 20 190 38 190",
    main: "M38 190h34V50h34v70h34v70h34V50h34v70h36",
    faint: "M38 50h206M38 120h206M38 190h206",
    dots: "M72 50h.01M106 120h.01M140 190h.01M174 50h.01M208 120h.01",
    labels: "254,56,start 254,126,start 254,196,start",
  },
  balance: {
    inlet: "M0 212.3h24",
    main: "M24 212.3h272M160 212V48M64 56h192M22 132a42 26 0 0 0 84 0zM214 132a42 26 0 0 0 84 0z",
    faint: "M64 56l-34 76M64 56l34 76M256 56l-34 76M256 56l34 76",
    "big-dots": "M160 56h.01",
    labels: "64,178 256,178",
  },
  checklist: {
    inlet: "M0 195.4C20 190 30 172 52 172",
    main: "M52 30l10 11 18-22M52 78l10 11 18-22M52 126l10 11 18-22M52 222l10 11 18-22M52 172a14 14 0 1 0 28 0a14 14 0 1 0-28 0",
    faint: "M100 32h204M100 80h148M100 128h180M100 224h164",
    labels: "100,178,start",
  },
  chairs: {
    inlet: "M0 212.7C34 206 8 96 44 96",
    main: "M56 62h240q12 0 12 12v44q0 12-12 12H56q-12 0-12-12V74q0-12 12-12zM88 152h64v42q0 16-16 16h-32q-16 0-16-16zM190 152h64v42q0 16-16 16h-32q-16 0-16-16z",
    faint: "M140 40V22q0-16 16-16h32q16 0 16 16v18z",
    labels: "120,184 222,184",
  },
};

/** A drawing in the colors of its section. */
export function Drawing({ name, description, words }: DrawingProps) {
  const { labels, ...strokes } = drawings[name];
  return (
    <figure>
      <figcaption className="sr-only">{description}</figcaption>
      <svg viewBox="0 0 320 240" aria-hidden="true" className="drawing">
        {Object.entries(strokes).map(([weight, path]) => (
          <path key={weight} d={path} className={weight} />
        ))}
        <g>
          {labels.split(" ").map((label, index) => {
            const [x, y, anchor] = label.split(",");
            return (
              <text key={label} x={x} y={y} textAnchor={anchor as "start" | "end" | undefined}>
                {words[index]}
              </text>
            );
          })}
        </g>
      </svg>
    </figure>
  );
}
