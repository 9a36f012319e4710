import { readEmailAddress, suggestAddress } from "#supabase/functions/_shared/email-address";
import { type AskedAddress, questionedAddressField, suggestedAddressField } from "~/lib/pages/questioned-address";

/** A question about an address that looks mistyped. */
export interface AddressQuestion {
  /** error text for the field; null when there is no question */
  text: string | null;
  /** the same text, for conform's `reply` */
  fieldErrors: Record<string, string[]>;
  /** for the returned form; null when the address looks right */
  asked: AskedAddress | null;
}

/**
 * Asks once about a likely typo in the field `email`, such as gmial.com. A hidden field of the returned form holds that
 * address, so that sending the form again keeps it. This needs no script and no state on the server.
 */
export function askAboutAddress(form: FormData): AddressQuestion {
  const { address } = readEmailAddress(String(form.get("email") ?? ""));
  const suggestion = address === undefined ? null : suggestAddress(address);
  if (address === undefined || suggestion === null) return { text: null, fieldErrors: {}, asked: null };
  if (form.get(questionedAddressField) === address)
    return { text: null, fieldErrors: {}, asked: { address, suggestion: null } };
  const text = `Did you mean ${suggestion}?`;
  return { text, fieldErrors: { email: [text] }, asked: { address, suggestion } };
}

/** Replaces a mistyped address if the form was sent with the button that names another. */
export function takeSuggestedAddress(form: FormData): void {
  const meant = form.get(suggestedAddressField);
  if (meant !== null) form.set("email", meant);
}
