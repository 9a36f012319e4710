import { type ArtifactPageProps, ArtifactSection } from "./artifact";

/** The numbered steps of a beginning, each under a hairline. An ordered list would number them twice in text browsers. */
export function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ul className="steps">
      {steps.map((step, index) => (
        <li key={step}>
          <span className="numeral">{index + 1}</span>
          <p>{step}</p>
        </li>
      ))}
    </ul>
  );
}

/** Props of {@link StepsSection}. */
export interface StepsSectionProps {
  title: string;
  steps: readonly string[];
  artifact: ArtifactPageProps;
}

/** The steps as a section of a page, beside an example of the page that they lead to. */
export function StepsSection({ title, steps, artifact }: StepsSectionProps) {
  return (
    <ArtifactSection tone="mist" title={title} artifact={artifact}>
      <Steps steps={steps} />
    </ArtifactSection>
  );
}
