import { Section } from "./section";

/** Props of {@link Steps}. */
export interface StepsProps {
  steps: readonly string[];
  /** side by side where there is room */
  isRow?: boolean;
}

/** The numbered steps of a beginning, each under a hairline. An ordered list would number them twice in text browsers. */
export function Steps({ steps, isRow = false }: StepsProps) {
  return (
    <ul className={isRow ? "steps steps-row" : "steps"}>
      {steps.map((step, index) => (
        <li key={step}>
          <span className="numeral">{index + 1}</span>
          <p>{step}</p>
        </li>
      ))}
    </ul>
  );
}

/** The steps as a section of a page. */
export function StepsSection({ title, steps }: { title: string; steps: readonly string[] }) {
  return (
    <Section tone="mist" title={title}>
      <Steps steps={steps} isRow />
    </Section>
  );
}
