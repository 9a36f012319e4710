/** The hidden field that names an email address about which the sender of the form was asked. */
export const askedAddressField = "emailAsked";
