import { readEmailAddress, suggestAddress } from "#supabase/functions/_shared/email-address";
import { askedAddressField } from "~/lib/pages/asked-address";

/** What a form's route does about an address that looks mistyped. */
export interface AddressQuestion {
  /** for the mistake beside the field; null where nothing is left to ask */
  text: string | null;
  /** the same, for conform's `reply` */
  fieldErrors: Record<string, string[]>;
  /** for the hidden field of the form that comes back; null where nobody was asked */
  asked: string | null;
}

/**
 * Asks once about a likely slip in the field `email`, such as gmial.com. The form that comes back says in a hidden field
 * which address that was, so that sending it again keeps the address, without scripts and without state on the server.
 */
export function askAboutAddress(form: FormData): AddressQuestion {
  const { address } = readEmailAddress(String(form.get("email") ?? ""));
  const meant = address === undefined ? null : suggestAddress(address);
  if (address === undefined || meant === null) return { text: null, fieldErrors: {}, asked: null };
  if (form.get(askedAddressField) === address) return { text: null, fieldErrors: {}, asked: address };
  const text = `Did you mean ${meant}? Send again to keep it as it is.`;
  return { text, fieldErrors: { email: [text] }, asked: address };
}
