/**
 * The contact rules are written once, beside the function that has the last word on them, so that the page and the
 * function can never disagree.
 */
export {
  type ContactConsent,
  type ContactMessage,
  contactMessageSchema,
} from "#supabase/functions/_shared/contact-message";
