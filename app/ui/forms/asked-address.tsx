import { askedAddressField } from "~/lib/pages/asked-address";

/**
 * Tells the server, with the next post, which email address the sender was asked to check. A second post with that
 * address confirms it. Renders nothing if there was no question.
 */
export function AskedAddress({ address }: { address: string | null }) {
  return address === null ? null : <input type="hidden" name={askedAddressField} value={address} />;
}
