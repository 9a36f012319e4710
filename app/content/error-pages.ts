/** What a person reads when something went wrong, and what they can do about it. */
export interface ErrorPageCopy {
  title: string;
  text: string;
}

/** By HTTP status. The text for 404 is required (REQUIREMENTS 2.10). */
export const errorPages: Partial<Record<number, ErrorPageCopy>> = {
  400: {
    title: "We could not read that",
    text: "Something in the address or the form was broken. Go back and try again.",
  },
  403: {
    title: "That came from another site",
    text: "For your safety we accept forms only from our own pages. Open the page here and send it again.",
  },
  404: { title: "404", text: "Oops! Page not found" },
  405: { title: "That does not work here", text: "This page can be read but takes no form. Go back and try again." },
  413: {
    title: "That is too large",
    text: "A form may hold 64 kilobytes. Go back, shorten the text and send it again.",
  },
  415: { title: "We could not read that", text: "This address takes an ordinary web form. Go back and try again." },
  429: { title: "Too many at once", text: "Wait a few minutes and try again." },
  503: {
    title: "We cannot answer right now",
    text: "Too many people may be here at once. Nothing was saved. Wait a few seconds and reload this page. If you were sending a form, go back: what you typed is still there, and you can send it again.",
  },
};

/** For everything that is our own fault. */
export const serverErrorPage: ErrorPageCopy = {
  title: "Something went wrong on our side",
  text: "It is not your fault. Try again in a minute; what you typed is still there when you go back.",
};
