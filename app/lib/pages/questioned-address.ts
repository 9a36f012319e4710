/** Hidden field with the email address that the sender was asked to check. */
export const questionedAddressField = "emailAsked";

/** Button whose value replaces that address. */
export const suggestedAddressField = "emailMeant";

/** An email address that the sender was asked to check. */
export interface AskedAddress {
  address: string;
  /** the address that was probably meant; null once the sender has kept theirs */
  suggestion: string | null;
}
