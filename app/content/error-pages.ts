/** Text of an error page: what went wrong, and what the visitor can do. */
export interface ErrorPageCopy {
  /** a short text above the title */
  eyebrow?: string;
  title: string;
  text: string;
}

/** Why a form from another site was refused, and what to do. */
export const refusedPostText =
  "For your safety we accept forms only from our own pages, so nothing was sent. Open the page here and send it again.";

/** Error pages by HTTP status. The title for 404 is required (REQUIREMENTS 2.10). */
export const errorPages: Partial<Record<number, ErrorPageCopy>> = {
  400: {
    title: "We couldn’t read that",
    text: "Something in the address or the form was not valid. Go back and try again.",
  },
  403: {
    title: "That came from another site",
    text: refusedPostText,
  },
  404: {
    eyebrow: "404",
    title: "Oops! Page not found",
    text: "It may have moved, or the address may be mistyped. Try one of these:",
  },
  405: { title: "That doesn’t work here", text: "This page doesn’t accept forms. Go back and try again." },
  413: {
    title: "That is too large",
    text: "A form can hold up to 256 kilobytes. Go back, shorten the text and send it again.",
  },
  415: { title: "We couldn’t read that", text: "This address accepts only ordinary web forms. Go back and try again." },
  429: { title: "Too many requests", text: "Wait a few minutes and try again." },
  503: {
    title: "We can’t show this page right now",
    text: "Too many people may be here at once. Nothing was saved. Wait a few seconds and reload this page. If you were sending a form, go back: what you typed is still there, and you can send it again.",
  },
};

/** Shown with a 404 beside the founder's picture. */
export const missingPageWords = { contact: "Tell us what you were looking for" };

/** Shown with a 403: the link to the form, and the visitor's input. */
export const refusedPostWords = {
  /** @param page path or absolute URL */
  open: (page: string) => `Open ${page.replace(/^https?:\/\//, "").replace(/\?.*$/, "")}`,
  title: "What you typed",
  hint: "We have not saved it. Copy it, open the page, and paste it there.",
};

/** Label of a refused text whose field has a different label in each form. */
export const typedTextLabel = "Your text";

/** Body of the response to a form in an unsupported encoding; identifies its error page. */
export const unreadableLetters = "The letters of this form are not UTF-8.";

/** The error page for {@link unreadableLetters}. */
export const unreadableLettersPage: ErrorPageCopy = {
  title: "We couldn’t read the characters",
  text: "Your browser or a program sent this form in an encoding other than UTF-8. Nothing was saved. Go back and copy what you typed. Then reload the page, paste it, and send it again.",
};

/** The error page for server errors. */
export const serverErrorPage: ErrorPageCopy = {
  title: "Something went wrong on our side",
  text: "This is not your fault. Go back and try again in a minute. What you typed is still there.",
};
