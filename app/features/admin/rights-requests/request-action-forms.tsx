import { countOf } from "~/lib/count-of";
import { PostButton } from "~/ui/forms/post-button";
import { TitledSection } from "~/ui/content/titled-section";
import { CheckList } from "~/ui/forms/check-list";
import { TextAreaField } from "~/ui/forms/field";
import type { ErasurePlace } from "~/content/request-mails";
import { SeenField } from "../shared/seen-field";
import { CorrectionForms } from "./correction-forms";
import { RequestAction } from "./request-action";
import type { FailedChange } from "./request-actions";
import type { NextStep } from "./next-step";
import { type TextStep, linkSteps, textSteps } from "./request-words";
import type { DataRightsRequestRecord } from "./requests.server";

/** Possible actions on one request. */
export interface RequestActionFormsProps {
  /** path of the request's page */
  action: string;
  request: DataRightsRequestRecord;
  next: NextStep["action"];
  /** places with the person's data that an erasure here does not reach */
  places: readonly ErasurePlace[];
  failed: FailedChange | null;
}

/** Names of the kinds of records that an erasure deletes, singular and plural. */
const erasedKinds: Readonly<Record<string, readonly [string, string]>> = {
  submissions: ["message", "messages"],
  replies: ["reply or draft", "replies and drafts"],
  requests: ["request (this one)", "requests (including this one)"],
  mails: ["email", "emails"],
  memberships: ["membership in the investor network", "memberships in the investor network"],
  events: ["log entry", "log entries"],
  links: ["link", "links"],
  receipts: ["receipt", "receipts"],
};

/** Places with copies that an erasure on this site does not reach. */
const placeLabels: Record<ErasurePlace, string> = {
  mailbox: "Deleted the person’s emails, and this site’s emails about them, from our mailboxes",
  exports: "Deleted the person from downloaded CSV files and data packages",
  advisers: "Told advisors and others who received the data to delete it",
  google: "Deleted the person’s visits from Google Analytics, as far as we can identify them",
};

const textStepNames = Object.keys(textSteps) as TextStep[];
const linkStepNames = Object.keys(linkSteps) as (keyof typeof linkSteps)[];

/** One plain form per action. */
export function RequestActionForms(props: RequestActionFormsProps) {
  const { action, request, next, places, failed } = props;
  const { version, steps, erasure, messages, membership } = request;
  // A colleague's change made the action impossible.
  const isGone =
    failed !== null &&
    failed.text !== "" &&
    !steps.includes(failed.intent === "correctMembership" ? "correct" : failed.intent);
  const withText = textStepNames.filter((intent) => steps.includes(intent));
  return (
    <TitledSection id="actions" title="What you can do" className="request-actions">
      {failed && isGone ? (
        <TextAreaField id="unsent-text" label="Your text (not sent)" rows={4} readOnly defaultValue={failed.text} />
      ) : null}
      {steps.includes("package") ? (
        <RequestAction
          title="Download what this site holds about this person"
          hint="All messages, requests and emails under this address, and the membership in the investor network. Every download is logged."
        >
          <form method="post" action={`${action}/package`} className="flex flex-wrap gap-3">
            <button name="format" value="json" className="button button-quiet">
              Download as JSON
            </button>{" "}
            <button name="format" value="html" className="button button-quiet">
              Download as a readable page
            </button>
          </form>
        </RequestAction>
      ) : null}
      {messages ? (
        <CorrectionForms
          action={action}
          messages={messages}
          membership={membership}
          failed={failed?.intent === "correct" || failed?.intent === "correctMembership" ? failed : null}
          isNext={next === "correct"}
        />
      ) : null}
      {withText.map((intent) => (
        <RequestAction
          key={intent}
          title={textSteps[intent].title}
          hint={textSteps[intent].hint}
          isOpen={failed?.intent === intent}
          isNext={next === intent}
        >
          <TextForm
            action={action}
            version={version}
            intent={intent}
            failed={failed?.intent === intent ? failed : null}
          />
        </RequestAction>
      ))}
      {linkStepNames.map((intent) =>
        steps.includes(intent) ? (
          <RequestAction key={intent} title={linkSteps[intent].title} hint={linkSteps[intent].hint}>
            <PostButton
              action={action}
              intent={intent}
              fields={{ seen: version }}
              label={linkSteps[intent].button}
              className="button"
            />
          </RequestAction>
        ) : null,
      )}
      {erasure ? (
        <RequestAction
          title="Erase what this site holds about this person"
          hint="This can’t be undone. It covers this site’s database and mail files. A final email tells the requester what was erased and what was not."
          isOpen={failed?.intent === "erase"}
          isNext={next === "erase"}
        >
          <p>{describeErasure(erasure)}</p>
          {erasure.mentions ? (
            <p>{`The address also appears in ${countOf(erasure.mentions, "text")} from or to other people. Those stay. Please check them.`}</p>
          ) : null}
          <form method="post" action={action} className="mt-3 grid gap-3">
            <SeenField version={version} />
            {/* All boxes are optional: the mail to the person lists what was done and what was not. */}
            <CheckList
              id="elsewhere"
              name="elsewhere"
              label="This site can’t reach other copies. What have you done about them?"
              hint="What you check becomes part of the proof of erasure and of the email to the requester."
              options={places.map((place) => ({ value: place, label: placeLabels[place] }))}
              checkedAtFirst={failed?.elsewhere ?? []}
            />
            <p>
              <button name="intent" value="erase" className="button">
                Erase permanently
              </button>
            </p>
          </form>
        </RequestAction>
      ) : null}
    </TitledSection>
  );
}

/** Lists the records that an erasure deletes. */
export function describeErasure(erasure: Record<string, number>): string {
  const kinds = Object.entries(erasedKinds).map(([kind, [one, many]]) => countOf(erasure[kind] ?? 0, one, many));
  return `This will be deleted: ${kinds.join(", ")}.`;
}

interface TextFormProps {
  action: string;
  version: number;
  intent: TextStep;
  failed: FailedChange | null;
}

function TextForm({ action, version, intent, failed }: TextFormProps) {
  return (
    <form method="post" action={action} className="grid max-w-2xl gap-3">
      <SeenField version={version} />
      <TextAreaField
        id={`text-${intent}`}
        name="text"
        label={textSteps[intent].label}
        rows={4}
        required
        defaultValue={failed?.text ?? ""}
        error={failed?.error}
      />
      <p>
        <button name="intent" value={intent} className="button">
          {textSteps[intent].button}
        </button>
      </p>
    </form>
  );
}
