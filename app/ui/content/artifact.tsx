import type { ReactNode } from "react";

/** Props of {@link ArtifactPage}. */
export interface ArtifactPageProps {
  /** completes "Example: …" */
  caption: string;
  title: string;
  /** `____` in a text is a blank, drawn as a line */
  rows: readonly { label: string; text: string; mark?: keyof typeof marks | "cut" }[];
  /** ends with a signature */
  isSigned?: boolean;
}

const marks = {
  found: "M3 9l5 5L20 2",
  gap: "M5 2h13v13H5z",
  late: "M1 4h9l3 9h10",
  falls: "M1 3l6 1 5 8 11 3",
  holds: "M1 9l6-2 6 3 10-2",
  rises: "M1 15l6-2 5-7 11-4",
};

const signature = "M2 13h9l4-6 6 10 6-15 6 13 3-7c2 5 6 6 9 2s5-5 6-1 8 3 16 2";

/** A drawn page of the firm's work, as an example. Its texts are texts, for readers of every kind. */
export function ArtifactPage({ caption, title, rows, isSigned = false }: ArtifactPageProps) {
  return (
    <figure className="artifact">
      <div className="artifact-sheet">
        <p className="artifact-title">{title}</p>
        <dl>
          {rows.map(({ label, text, mark }) => (
            <div key={label} className={mark && `artifact-${mark}`}>
              <dt>
                {mark && mark !== "cut" ? <Stroke path={marks[mark]} /> : null}
                {mark === "cut" ? <s>{label}</s> : label}
              </dt>
              <dd>{drawBlanks(text)}</dd>
            </div>
          ))}
        </dl>
        {isSigned ? <Stroke path={signature} width={72} /> : null}
      </div>
      <figcaption>{`Example: ${caption}`}</figcaption>
    </figure>
  );
}

/** Props of {@link ArtifactSection}. */
export interface ArtifactSectionProps {
  tone?: "paper" | "mist";
  title: string;
  text?: string;
  artifact: ArtifactPageProps;
  children?: ReactNode;
}

/** A section with a page of the work at its side. */
export function ArtifactSection({ tone = "paper", title, text, artifact, children }: ArtifactSectionProps) {
  return (
    <section aria-labelledby="artifact-title" className={`band tone-${tone}`}>
      <div className="wrap artifact-section">
        <div>
          <h2 id="artifact-title" className="text-(length:--text-title)">
            {title}
          </h2>
          {text ? <p className="lead mt-5 max-w-[33.5em] text-xl">{text}</p> : null}
          {children}
        </div>
        <ArtifactPage {...artifact} />
      </div>
    </section>
  );
}

function Stroke({ path, width = 24 }: { path: string; width?: number }) {
  return (
    <svg viewBox={`0 0 ${width} 18`} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

function drawBlanks(text: string) {
  return text.split(/(____)/).map((part, index) => (part === "____" ? <u key={index}>{part}</u> : part));
}
