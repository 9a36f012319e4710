import { countCharacters, firstCharacters } from "../../../../app/lib/characters.ts";
import { greetingName } from "../../../../app/lib/greeting-name.ts";
import { normalizeLine, stripDirectionMarks } from "../../../../app/lib/plain-text.ts";
import type { MemberMail } from "./network-mail.ts";

/** A letter to the network, and the one member who gets this copy of it. */
export interface LetterCopy {
  subject: string;
  body: string;
  /** the member's name; `{name}` in subject and body becomes what it is greeted by */
  name: string;
  footer: LetterFooter;
}

/** The firm as all copies of a letter name it, stored with the letter. */
export interface LetterFooter {
  firm: string;
  /** the firm's postal address, which the CAN-SPAM Act demands (15 U.S.C. 7704(a)(5)) */
  address: string;
  /** the site's host */
  site: string;
}

/** Token of the link in a trial mail and in the preview, where each member's mail has that member's token. */
export const sampleToken = "your-own-link";

/** Writes the mail of a letter, with the firm's postal address and the words around the link that stops mail. */
export function composeLetter({ subject, body, name, footer }: LetterCopy): MemberMail {
  // Replaced in one pass, so that a member's name is never searched for `{name}` itself.
  const fill = (text: string) =>
    stripDirectionMarks(text.replaceAll("{name}", () => greetingName(normalizeLine(name))));
  return {
    subject: shorten(fill(subject)),
    body: `${fill(body)}

____________________

${footer.firm}
${footer.address}

You get this email because you joined the investor network of ${footer.firm} at ${footer.site}. To stop these emails, or to get the link to your own page, open this link:`,
    closing: `The link works as long as you are in the network. Anyone with this email can stop our emails to you with it, but cannot see or change anything about you.
`,
  };
}

/** Most characters of a mail's subject (private.require_mail). Each name in a subject can make it longer. */
const maxSubject = 200;

function shorten(subject: string): string {
  return countCharacters(subject) <= maxSubject ? subject : `${firstCharacters(subject, maxSubject - 1).trimEnd()}…`;
}
