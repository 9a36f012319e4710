import { keepHyphenated } from "./keep-hyphenated";

/** Props of {@link ExampleOfWork}. */
export interface ExampleOfWorkProps {
  title: string;
  /** the three parts: where the client stood, what was done, what changed */
  parts: readonly { label: string; text: string }[];
}

/** One piece of work in three parts, side by side on a desk. */
export function ExampleOfWork({ title, parts }: ExampleOfWorkProps) {
  return (
    <section aria-labelledby="example-title" className="wrap example">
      <h2 id="example-title" className="eyebrow">
        {title}
      </h2>
      <dl>
        {parts.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{keepHyphenated(text)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
