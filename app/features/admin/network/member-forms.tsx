import { PostButton } from "~/ui/forms/post-button";
import { TitledSection } from "~/ui/content/titled-section";
import { TextAreaField } from "~/ui/forms/field";
import { SeenField } from "../shared/seen-field";
import type { Member } from "./network.server";

/** The admin's note in a rejected form, else "". */
export interface FailedReview {
  text: string;
  /** mistake in the note, else null */
  mistake: string | null;
}

/** Forms of a member's page. */
export interface MemberFormsProps {
  /** path of the page */
  action: string;
  member: Member;
  failed: FailedReview;
}

/** Id of the note, for the error summary. */
export const noteId = "note";

/** Review, link and removal. Each is a plain form. */
export function MemberForms({ action, member, failed }: MemberFormsProps) {
  return (
    <TitledSection id="actions" title="What you can do" className="request-actions">
      {member.state === "asked" ? (
        <>
          <p>You can review this person once they have confirmed their address.</p>
          {failed.text !== "" || failed.mistake !== null ? (
            <TextAreaField
              id={noteId}
              label="Your note (not saved)"
              error={failed.mistake ?? undefined}
              rows={4}
              readOnly
              defaultValue={failed.text}
            />
          ) : null}
        </>
      ) : (
        <ReviewForm action={action} member={member} failed={failed} />
      )}
      {member.may_get_link && !member.mails.some((mail) => mail.waits_in_line) ? (
        <LinkForm action={action} member={member} />
      ) : null}
      <PostButton
        action={action}
        intent="remove"
        label="Remove from the network"
        className="button delete"
        formClassName="border-t border-(--line) pt-3"
      >
        <p className="mb-3 text-(--muted)">
          Deletes everything that the network keeps about this person. No email is sent.
        </p>
      </PostButton>
    </TitledSection>
  );
}

function LinkForm({ action, member }: Pick<MemberFormsProps, "action" | "member">) {
  return (
    <PostButton
      action={action}
      intent="sendLink"
      label="Send the link again"
      formClassName="border-t border-(--line) pt-3"
    >
      <p className="mb-3 text-(--muted)">
        {member.state === "asked"
          ? "Emails the link to confirm. Use it if the first email was held back or did not arrive."
          : "Emails a link to the member’s own page. Earlier links to it end."}
        {member.paused_at === null ? null : " Letters wait until the member says there that mail may come again."}
      </p>
    </PostButton>
  );
}

function ReviewForm({ action, member, failed }: MemberFormsProps) {
  return (
    <form method="post" action={action} className="grid max-w-2xl gap-3">
      <SeenField version={member.version} />
      <input type="hidden" name="entries" value={member.events.length} />
      <TextAreaField
        id={noteId}
        name="text"
        label="Note"
        hint="Optional when you admit or decline. Stays in the log. The person sees it if they get a copy of their data."
        error={failed.mistake ?? undefined}
        rows={4}
        defaultValue={failed.text}
      />
      <p className="font-semibold">Neither Admit nor Decline sends an email.</p>
      <p className="flex flex-wrap gap-3">
        {member.state === "admitted" ? null : (
          <button name="intent" value="admitted" className="button">
            Admit
          </button>
        )}{" "}
        {member.state === "declined" ? null : (
          <button name="intent" value="declined" className="button button-quiet">
            Decline
          </button>
        )}{" "}
        <button name="intent" value="noted" className="button button-quiet">
          Add the note only
        </button>
      </p>
    </form>
  );
}
