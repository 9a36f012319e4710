/** A field of a posted form. */
export interface PostedField {
  name: string;
  value: string;
}

/** A text of a form that must not be lost. */
export interface KeptText {
  name: string;
  label: string;
  /** lines of its control; without them, a text of one line */
  rows?: number;
}

/** The texts of a page's forms, and how its page is left. */
export interface KeptForm {
  texts: readonly KeptText[];
  /** the list that the page belongs to */
  list?: { label: string; path: string };
  /** failure for a text that belongs to something deleted */
  gone?: string;
}

/** A post that changed nothing, for when its page cannot be shown. */
export interface KeptPost extends Pick<KeptForm, "list"> {
  title: string;
  /** reason why nothing was changed */
  failure: string | null;
  /** path that the form was posted to */
  action: string;
  texts: (KeptText & { value: string })[];
  /** the other fields of the form; null if sending it again cannot help */
  fields: PostedField[] | null;
}

/** Data of a post to an admin page that does not redirect. The page's frame shows the failure. */
export interface Refusal {
  failure?: string;
  /** replaces the failure's usual title */
  failureTitle?: string;
  /** title of a page that asks something, e.g. "Delete this message?" */
  title?: string;
  /** fields of a permanent deletion to confirm; the page then shows nothing else */
  question?: PostedField[] | null;
  /** true if the form waits for a recent sign-in */
  isStale?: boolean;
  kept?: KeptPost;
}
