import { PostButton } from "~/ui/forms/post-button";
import type { NextStep } from "./next-step";

/** HTML id of the form for the next step. */
export const nextStepId = "next-step";

interface NextStepNoteProps {
  step: NextStep;
  /** time left, e.g. "12 days left"; null if no deadline runs */
  time: string | null;
  isOverdue: boolean;
  /** path of the request's page */
  action: string;
  /** version of the request */
  version: number;
}

/** One sentence that tells what to do, with the button that does it or a link to its form. */
export function NextStepNote({ step, time, isOverdue, action, version }: NextStepNoteProps) {
  return (
    <div className="next-step">
      <p>
        {time === null ? null : <strong className={isOverdue ? "text-(--danger)" : undefined}>{`${time}. `}</strong>}
        {step.text}
      </p>
      {step.action === "startWork" ? (
        <PostButton
          action={action}
          intent="startWork"
          fields={{ seen: version }}
          label="Start work"
          className="button"
        />
      ) : step.action === null ? null : (
        <a href={`#${nextStepId}`} className="button">
          Go to the form
        </a>
      )}
    </div>
  );
}
