import { useNavigation } from "@remix-run/react";
import { type AskedAddress, questionedAddressField, suggestedAddressField } from "~/lib/pages/questioned-address";

/**
 * Tells the server, with the next post, which email address the sender was asked to check. A second post with that
 * address confirms it. Two buttons send the form with the address or the suggestion. Renders nothing without a question.
 */
export function QuestionedAddress({ asked }: { asked: AskedAddress | null }) {
  const isSending = useNavigation().state === "submitting";
  if (asked === null) return null;
  const { address, suggestion } = asked;
  return (
    <>
      <input type="hidden" name={questionedAddressField} value={address} />
      {suggestion === null ? null : (
        <p className="-mt-3 flex flex-wrap gap-3">
          {/* The first button, because Enter in a field presses it. */}
          <button className="button button-quiet" disabled={isSending}>
            Keep it
          </button>{" "}
          <button
            name={suggestedAddressField}
            value={suggestion}
            className="button wrap-anywhere"
            disabled={isSending}
            onClick={({ currentTarget: { form } }) => {
              const field = form?.elements.namedItem("email");
              // If another field is refused, the form then shows this address.
              if (field instanceof HTMLInputElement) field.value = suggestion;
            }}
          >
            {`Use ${suggestion}`}
          </button>
        </p>
      )}
    </>
  );
}
