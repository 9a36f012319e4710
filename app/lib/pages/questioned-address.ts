/** Hidden field with the email address that the sender was asked to check. */
export const questionedAddressField = "emailAsked";
