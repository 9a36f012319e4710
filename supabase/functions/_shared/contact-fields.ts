/** Label, validation and display of a field of the contact form. */
export interface ContactField {
  kind: "line" | "email" | "paragraphs";
  /** shown above the control, in the firm's mail, in the inbox and as a column of the CSV file */
  label: string;
  /** completes "Enter …" and "Shorten … by 4 characters." */
  what: string;
  /** most characters (code points), as the database counts them */
  limit: number;
  /** for a line: may be left empty; then stored as an empty text and not displayed */
  isOptional?: true;
  /** autofill field name (HTML standard) */
  autoComplete?: string;
}

/**
 * The text fields of the contact form, in its order (REQUIREMENTS 3.1). The schema, the form, the firm's mail, the
 * inbox and the CSV file are derived from this list; the database column and the privacy policy are written by hand,
 * and tests compare them with it.
 */
export const contactFields = {
  name: { kind: "line", label: "Name", what: "your name", limit: 100, autoComplete: "name" },
  email: { kind: "email", label: "Email", what: "your email address", limit: 255, autoComplete: "email" },
  company: { kind: "line", label: "Company", what: "your company", limit: 200, autoComplete: "organization" },
  stage: { kind: "line", label: "Business stage", what: "your business stage", limit: 100 },
  goal: { kind: "line", label: "Goal", what: "your goal", limit: 200 },
  message: { kind: "paragraphs", label: "Message", what: "your message", limit: 5000 },
} as const satisfies Record<string, ContactField>;

/** Name of one of {@link contactFields}: in the form, in the function's JSON, and as a database column. */
export type ContactFieldName = keyof typeof contactFields;

/** {@link contactFields} as a list, in order. */
export const contactFieldList = Object.entries(contactFields) as [ContactFieldName, ContactField][];
