/** What a person reads when something went wrong, and what they can do about it. */
export interface ErrorPageCopy {
  /** a short word over the title */
  eyebrow?: string;
  title: string;
  text: string;
}

/** Why a form from elsewhere was refused, and what to do. */
export const refusedPostText =
  "For your safety we accept forms only from our own pages, so nothing was sent. Open the page here and send it again.";

/** By HTTP status. The text for 404 is required (REQUIREMENTS 2.10). */
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
    text: "It may have moved, or its address has a mistake in it. Perhaps it is one of these:",
  },
  405: { title: "That doesn’t work here", text: "This page doesn’t accept forms. Go back and try again." },
  413: {
    title: "That is too large",
    text: "A form can hold up to 256 kilobytes. Go back, shorten the text and send it again.",
  },
  415: { title: "We couldn’t read that", text: "This address accepts only ordinary web forms. Go back and try again." },
  429: { title: "Too many requests", text: "Wait a few minutes and try again." },
  503: {
    title: "We can’t answer right now",
    text: "Too many people may be here at once. Nothing was saved. Wait a few seconds and reload this page. If you were sending a form, go back: what you typed is still there, and you can send it again.",
  },
};

/** Beside the 403: the way to the form, and what was typed into it. */
export const refusedPostWords = {
  /** @param page path or whole address */
  open: (page: string) => `Open ${page.replace(/^https?:\/\//, "").replace(/\?.*$/, "")}`,
  title: "What you typed",
  hint: "It is not kept anywhere. Copy it, open the page, and paste it there.",
};

/** Over a text whose own label is another in each form. */
export const typedTextLabel = "Your text";

/** What a form is refused with, by which its error page is known, when its letters are in no encoding that it names. */
export const unreadableLetters = "The letters of this form are not UTF-8.";

/** For {@link unreadableLetters}. */
export const unreadableLettersPage: ErrorPageCopy = {
  title: "We couldn’t read the letters",
  text: "Your browser or a program sent this form in an encoding other than UTF-8. Nothing was saved. Go back and copy what you typed. Then reload the page, paste it, and send it again.",
};

/** For everything that is our own fault. */
export const serverErrorPage: ErrorPageCopy = {
  title: "Something went wrong on our side",
  text: "This is not your fault. Go back and try again in a minute. What you typed is still there.",
};
