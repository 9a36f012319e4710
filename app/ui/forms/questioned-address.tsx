import { questionedAddressField } from "~/lib/pages/questioned-address";

/**
 * Tells the server, with the next post, which email address the sender was asked to check. A second post with that
 * address confirms it. Renders nothing if there was no question.
 */
export function QuestionedAddress({ address }: { address: string | null }) {
  return address === null ? null : <input type="hidden" name={questionedAddressField} value={address} />;
}
