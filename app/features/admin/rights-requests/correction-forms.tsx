import { useInstantFormat } from "~/ui/frame/time-zone";
import { type ContactField, contactFields } from "#supabase/functions/_shared/contact-fields";
import { SeenField } from "../shared/seen-field";
import { type CorrectableField, correctableFields } from "./correctable-fields";
import { RequestAction } from "./request-action";
import type { FailedChange } from "./request-actions";
import type { CorrectableMessage } from "./requests.server";

/** Messages of a person, with a separate form for each field (GDPR, article 16). */
export interface CorrectionFormsProps {
  /** path of the request's page */
  action: string;
  messages: readonly CorrectableMessage[];
  /** a rejected correction */
  failed: FailedChange | null;
  isNext: boolean;
}

/** Shows the stored messages and lets an admin correct them in place. */
export function CorrectionForms({ action, messages, failed, isNext }: CorrectionFormsProps) {
  const formatInstant = useInstantFormat();
  return (
    <RequestAction
      title="Correct what is stored"
      hint="Changes the stored message. The history keeps a fingerprint of the old text, not the text itself. Copies in mailboxes and downloaded files don’t change. Correct those too."
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
              message={message}
              field={field}
              failed={failed?.submission === message.id && failed.field === field ? failed : null}
            />
          ))}
        </section>
      ))}
    </RequestAction>
  );
}

interface CorrectionFormProps {
  action: string;
  message: CorrectableMessage;
  field: CorrectableField;
  failed: FailedChange | null;
}

function CorrectionForm({ action, message, field, failed }: CorrectionFormProps) {
  const id = `correct-${message.id}-${field}`;
  const { label, isOptional }: ContactField = contactFields[field];
  const control = {
    id,
    name: "text",
    dir: "auto",
    required: !isOptional,
    defaultValue: failed?.text ?? message[field],
    "aria-invalid": failed ? true : undefined,
    "aria-describedby": failed ? `${id}-error` : undefined,
    className: "control",
  } as const;
  return (
    <form method="post" action={action} className="mt-3 grid max-w-2xl gap-2">
      <input type="hidden" name="submission" value={message.id} />
      <input type="hidden" name="field" value={field} />
      <SeenField version={message.version} />
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {failed ? (
        <p id={`${id}-error`} className="font-semibold text-(--danger)">
          {failed.error}
        </p>
      ) : null}
      {failed && failed.text !== message[field] ? (
        <p className="whitespace-pre-wrap wrap-anywhere">{`Stored now: ${message[field]}`}</p>
      ) : null}
      {field === "message" ? <textarea {...control} rows={6} /> : <input {...control} />}
      <p>
        <button name="intent" value="correct" className="button button-quiet" aria-label={`Save correction: ${label}`}>
          Save correction
        </button>
      </p>
    </form>
  );
}
