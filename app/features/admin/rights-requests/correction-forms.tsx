import { networkWords } from "~/content/pages/network";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { type ContactField, contactFields } from "#supabase/functions/_shared/contact-fields";
import { TextAreaField, TextField } from "~/ui/forms/field";
import { SeenField } from "../shared/seen-field";
import { correctableFields, correctableMemberFields } from "./correctable-fields";
import { RequestAction } from "./request-action";
import type { FailedChange } from "./request-actions";
import type { CorrectableMembership, CorrectableMessage } from "./requests.server";

/** Messages and membership of a person, with a separate form for each field (GDPR, article 16). */
export interface CorrectionFormsProps {
  /** path of the request's page */
  action: string;
  messages: readonly CorrectableMessage[];
  membership: CorrectableMembership | null;
  /** a rejected correction */
  failed: FailedChange | null;
  isNext: boolean;
}

/** Shows what is stored and lets an admin correct it in place. */
export function CorrectionForms({ action, messages, membership, failed, isNext }: CorrectionFormsProps) {
  const formatInstant = useInstantFormat();
  return (
    <RequestAction
      title="Correct what is stored"
      hint="Changes the stored text. The history keeps a fingerprint of the old text, not the text itself. Copies in mailboxes and downloaded files don’t change. Correct those too."
      isOpen={failed !== null}
      isNext={isNext}
    >
      {messages.length === 0 ? <p>No messages are stored under this address.</p> : null}
      {messages.map((message) => (
        <section key={message.id} aria-label={`Message of ${formatInstant(message.created_at)}`} className="mb-8">
          <h4 className="text-lg">{`Message of ${formatInstant(message.created_at)}`}</h4>
          {correctableFields.map((field) => (
            <CorrectionForm
              key={field}
              action={action}
              intent="correct"
              record={message}
              field={field}
              label={contactFields[field].label}
              isOptional={(contactFields[field] as ContactField).isOptional}
              stored={message[field]}
              failed={failed?.submission === message.id && failed.field === field ? failed : null}
            />
          ))}
        </section>
      ))}
      {membership ? (
        <section aria-label="Membership in the investor network" className="mb-8">
          <h4 className="text-lg">Membership in the investor network</h4>
          {correctableMemberFields.map((field) => (
            <CorrectionForm
              key={field}
              action={action}
              intent="correctMembership"
              record={membership}
              field={field}
              label={networkWords.labels[field]}
              stored={membership[field] ?? ""}
              failed={failed?.intent === "correctMembership" && failed.field === field ? failed : null}
            />
          ))}
        </section>
      ) : null}
    </RequestAction>
  );
}

interface CorrectionFormProps {
  action: string;
  intent: "correct" | "correctMembership";
  /** message or membership */
  record: { id: string; version: number };
  field: string;
  label: string;
  isOptional?: true | undefined;
  stored: string;
  failed: FailedChange | null;
}

function CorrectionForm(props: CorrectionFormProps) {
  const { action, intent, record, field, label, isOptional, stored, failed } = props;
  const control = {
    id: `correct-${record.id}-${field}`,
    name: "text",
    label,
    required: !isOptional,
    defaultValue: failed?.text ?? stored,
    error: failed?.error,
  };
  return (
    <form method="post" action={action} className="mt-3 grid max-w-2xl gap-2">
      <input type="hidden" name="submission" value={record.id} />
      <input type="hidden" name="field" value={field} />
      <SeenField version={record.version} />
      {failed && failed.text !== stored ? (
        <p className="whitespace-pre-wrap wrap-anywhere">{`Stored now: ${stored}`}</p>
      ) : null}
      {field === "message" ? <TextAreaField {...control} rows={6} /> : <TextField {...control} />}
      <p>
        <button name="intent" value={intent} className="button button-quiet" aria-label={`Save correction: ${label}`}>
          Save correction
        </button>
      </p>
    </form>
  );
}
