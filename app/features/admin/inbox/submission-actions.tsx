import { adminPage } from "~/content/account/admin";
import type { Submission } from "./submissions.server";

const states = ["new", "in_progress", "done", "spam"] as const;

/** What can be done with one message; each is a form of its own, so that everything works without scripts. */
export function SubmissionActions({ submission, action }: { submission: Submission; action: string }) {
  const { actions, filters } = adminPage;
  const id = <input type="hidden" name="id" value={submission.id} />;
  return (
    <div className="mt-5 flex flex-wrap items-start gap-x-6 gap-y-3 border-t border-(--line) pt-4">
      {submission.quarantine_reason === null ? (
        <form method="post" action={action} className="flex flex-wrap items-center gap-2">
          {id}
          <label htmlFor={`state-${submission.id}`}>{actions.mark}</label>
          <select
            id={`state-${submission.id}`}
            name="state"
            defaultValue={submission.state}
            className="control control-small"
          >
            {states.map((state) => (
              <option key={state} value={state}>
                {filters[state]}
              </option>
            ))}
          </select>
          <button
            name="intent"
            value="mark"
            className="button button-quiet"
            aria-label={`Save state: ${submission.name}`}
          >
            Save
          </button>
        </form>
      ) : (
        <form method="post" action={action}>
          {id}
          <button name="intent" value="restore" className="button button-quiet">
            {actions.restore}
          </button>
        </form>
      )}
      <details className="ml-auto">
        <summary className="summary-button">{actions.delete}</summary>
        <form method="post" action={action} className="mt-2">
          {id}
          <p>{actions.deleteWarning}</p>
          <button
            name="intent"
            value="delete"
            className="button mt-2"
            aria-label={`${actions.deleteForGood}: ${submission.name}`}
          >
            {actions.deleteForGood}
          </button>
        </form>
      </details>
    </div>
  );
}
