import { SeenField } from "../shared/seen-field";
import type { NextStep } from "./next-step";

/** Where a request's page has the form of the next step. */
export const nextStepId = "next-step";

interface NextStepNoteProps {
  step: NextStep;
  /** how long is left, e.g. "12 days left"; null where no deadline runs */
  time: string | null;
  isOverdue: boolean;
  /** path of the request's page */
  action: string;
  /** of the request */
  version: number;
}

/** The one sentence that says what to do, with the one button that does it or leads to its form. */
export function NextStepNote({ step, time, isOverdue, action, version }: NextStepNoteProps) {
  return (
    <div className="next-step">
      <p>
        {time === null ? null : <strong className={isOverdue ? "text-(--danger)" : undefined}>{`${time}. `}</strong>}
        {step.text}
      </p>
      {step.action === "startWork" ? (
        <form method="post" action={action}>
          <SeenField version={version} />
          <button name="intent" value="startWork" className="button">
            Start work
          </button>
        </form>
      ) : step.action === null ? null : (
        <a href={`#${nextStepId}`} className="button">
          Go to the form
        </a>
      )}
    </div>
  );
}
