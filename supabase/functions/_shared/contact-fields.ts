/** How a field of the contact form is asked for, checked and shown. */
export interface ContactField {
  kind: "line" | "email" | "paragraphs";
  /** above the control, in the firm's mail, in the inbox and as a column of the CSV file */
  label: string;
  /** completes "Enter …" and "Shorten … by 4 characters." */
  what: string;
  /** most characters (code points); the database counts the same */
  limit: number;
  /** of a line: may be left empty; it is then stored as an empty text, and shown nowhere */
  isOptional?: true;
  /** what a browser may fill in (HTML standard, "autofill field name") */
  autoComplete?: string;
}

/**
 * The texts that the contact form asks for, in its order (REQUIREMENTS 3.1). The schema, the form, the firm's mail, the inbox and
 * the CSV file follow from this list; the column and the privacy policy are written by hand, and tests compare them with it.
 */
export const contactFields = {
  name: { kind: "line", label: "Name", what: "your name", limit: 100, autoComplete: "name" },
  email: { kind: "email", label: "Email", what: "your email address", limit: 255, autoComplete: "email" },
  company: { kind: "line", label: "Company", what: "your company", limit: 200, autoComplete: "organization" },
  stage: { kind: "line", label: "Business stage", what: "your business stage", limit: 100 },
  goal: { kind: "line", label: "Goal", what: "your goal", limit: 200 },
  message: { kind: "paragraphs", label: "Message", what: "your message", limit: 5000 },
} as const satisfies Record<string, ContactField>;

/** The name of one of {@link contactFields}: in the form, in what the function receives, and of its column. */
export type ContactFieldName = keyof typeof contactFields;

/** {@link contactFields} one by one, in their order. */
export const contactFieldList = Object.entries(contactFields) as [ContactFieldName, ContactField][];
