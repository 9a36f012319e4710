import { ListForm } from "../shared/list-form";
import type { ShownChange } from "./change-notice.server";
import { TakeBack } from "./replies/take-back";
import { stateNames } from "./inbox-words";
import { MessageFields } from "./submission-actions";

/** HTML id of the notice, which takes focus when the list has no message to open. */
export const changeNoticeId = "changed";

const stateWords = { new: "moved to New", in_progress: "in progress", done: "done", spam: "spam" };

/** Names the message that was changed, with a button that restores its state. Stays in view while the list scrolls. */
export function ChangeNotice({ change, action }: { change: ShownChange; action: string }) {
  const { key, submission, fallback, reply } = change;
  return (
    <section id={changeNoticeId} aria-label="Last change" tabIndex={-1} className="change-notice" data-notice="success">
      <output>
        {submission === null ? (
          `${fallback.title}. ${fallback.text}`
        ) : key === "replySent" ? (
          <>
            Replied to <bdi>{submission.name}</bdi>.
          </>
        ) : (
          <>
            <bdi>{submission.name}</bdi>
            {`: ${describe(key, submission)}.`}
          </>
        )}
      </output>{" "}
      {submission === null || key === "submissionUndone" ? null : key === "replySent" ? (
        <>
          <a href={`/admin/messages/${submission.id}`}>Open message</a>
          {reply ? <TakeBack action={`/admin/messages/${submission.id}`} reply={reply} /> : null}
        </>
      ) : (
        <ListForm action={action}>
          <MessageFields submission={submission} />
          <button name="intent" value="undo" className="link-button" aria-label={`Undo: ${submission.name}`}>
            Undo
          </button>
        </ListForm>
      )}
    </section>
  );
}

function describe(key: ShownChange["key"], { state, quarantine_reason }: NonNullable<ShownChange["submission"]>) {
  if (key !== "submissionUndone") return stateWords[state];
  return `back in ${stateNames[quarantine_reason === null ? state : "quarantined"]}`;
}
