import { PostButton } from "~/ui/forms/post-button";
import { Fragment } from "react";
import { ListForm } from "../shared/list-form";
import { SeenField } from "../shared/seen-field";
import type { Submission } from "./submissions.server";

type State = Submission["state"];

/** Next states of each state: one click away, and behind "More". */
const nextStates: Record<State, { primary: readonly State[]; more: readonly State[] }> = {
  new: { primary: ["done", "spam"], more: ["in_progress"] },
  in_progress: { primary: ["done", "spam"], more: ["new"] },
  done: { primary: ["new"], more: ["in_progress", "spam"] },
  spam: { primary: ["new"], more: [] },
};

const stateButtons: Record<State, string> = {
  new: "Move to New",
  in_progress: "In progress",
  done: "Done",
  spam: "Spam",
};

/** One message, and where its forms post. */
export interface SubmissionActionsProps {
  submission: Submission;
  action: string;
  /** URL of the reply form, or null if it is on this page */
  replyAddress: string | null;
}

/** Actions on one message. Each is a separate form, so that all work without scripts. */
export function SubmissionActions({ submission, action, replyAddress }: SubmissionActionsProps) {
  const { name, state, quarantine_reason } = submission;
  const isHeldBack = quarantine_reason !== null;
  return (
    <div className="message-actions">
      {isHeldBack || state === "spam" || replyAddress === null ? null : (
        <a href={replyAddress} className="button" aria-label={`Reply: ${name}`}>
          Reply
        </a>
      )}
      {isHeldBack ? (
        <ListForm action={action}>
          <MessageFields submission={submission} />
          <button name="intent" value="restore" className="button button-quiet">
            Not spam: move to New
          </button>
        </ListForm>
      ) : (
        <StateForm states={nextStates[state].primary} submission={submission} action={action} />
      )}
      <details>
        <summary className="summary-button" aria-label={`More: ${name}`}>
          More
        </summary>
        {isHeldBack ? null : <StateForm states={nextStates[state].more} submission={submission} action={action} />}
        {/* Not a ListForm: the question is a separate page. */}
        <PostButton
          action={action}
          intent="delete"
          fields={{ id: submission.id, seen: submission.version }}
          label="Delete permanently"
          name={`Delete permanently: ${name}`}
          className="button delete"
          formClassName="mt-3"
        />
      </details>
    </div>
  );
}

/** Hidden fields: the message of a form, and the version that was shown. */
export function MessageFields({ submission }: { submission: Pick<Submission, "id" | "version"> }) {
  return (
    <>
      <input type="hidden" name="id" value={submission.id} />
      <SeenField version={submission.version} />
    </>
  );
}

/** One button per state. @param labels of the buttons, if they say more than the state */
export function StateForm(props: {
  states: readonly State[];
  submission: Submission;
  action: string;
  labels?: Partial<Record<State, string>>;
}) {
  const labels = { ...stateButtons, ...props.labels };
  if (props.states.length === 0) return null;
  return (
    <ListForm action={props.action} className="flex flex-wrap gap-x-4 gap-y-2">
      <MessageFields submission={props.submission} />
      <input type="hidden" name="intent" value="mark" />
      {props.states.map((state) => (
        <Fragment key={state}>
          <button
            name="state"
            value={state}
            className="button button-quiet"
            aria-label={`${labels[state]}: ${props.submission.name}`}
          >
            {labels[state]}
          </button>{" "}
        </Fragment>
      ))}
    </ListForm>
  );
}
