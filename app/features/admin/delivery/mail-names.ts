/** Names of mails inside a sentence, by kind. */
export const mailNames: Readonly<Record<string, string>> = {
  firm: "our copy of a message",
  digest: "the morning digest",
  acknowledgement: "the acknowledgement",
  reply: "our reply",
  "request-firm": "our copy of a request",
  "request-acknowledgement": "the confirmation of the request",
  "request-answer": "our answer",
  account: "a security notice",
  "account-link": "the link",
  network: "the link to the investor network",
  letter: "a letter to the investor network",
  "letter-trial": "the letter to yourself",
  trouble: "a notice of trouble with the website",
};
