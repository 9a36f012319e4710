import { countCharacters, firstCharacters } from "../../../../app/lib/characters.ts";
import { normalizeLine, stripDirectionMarks } from "../../../../app/lib/plain-text.ts";
import type { NetworkMail } from "./network-mail.ts";

/** A letter to the network, and the one member who gets this copy of it. */
export interface LetterCopy {
  subject: string;
  body: string;
  /** the member's name, which replaces `{name}` in subject and body */
  name: string;
  siteUrl: string;
  /** opens the member's page */
  token: string;
  firm: string;
  /** the firm's postal address, which the CAN-SPAM Act demands (15 U.S.C. 7704(a)(5)) */
  address: string;
}

/** Token of the link in a trial mail and in the preview, where each member's mail has that member's token. */
export const sampleToken = "your-own-link";

/** Writes the mail of a letter, with the firm's postal address and the link to leave. */
export function composeLetter({ subject, body, name, siteUrl, token, firm, address }: LetterCopy): NetworkMail {
  // Replaced in one pass, so that a member's name is never searched for `{name}` itself.
  const fill = (text: string) => stripDirectionMarks(text.replaceAll("{name}", () => normalizeLine(name)));
  return {
    subject: shorten(fill(subject)),
    body: `${fill(body)}

____________________

${firm}
${address}

You get this email because you joined the investor network of ${firm} at ${new URL(siteUrl).host}. To leave it, or to see and change what we keep about you, open this link:

${new URL(`/network?token=${token}`, siteUrl).href}

Do not forward this email, because anyone with the link can do the same.
`,
  };
}

/** Most characters of a mail's subject (private.require_mail). Each name in a subject can make it longer. */
const maxSubject = 200;

function shorten(subject: string): string {
  return countCharacters(subject) <= maxSubject ? subject : `${firstCharacters(subject, maxSubject - 1).trimEnd()}…`;
}

/**
 * Finds the token of the link that {@link composeLetter} put below a letter. A letter's own text may contain a link like
 * it, so the last one counts.
 */
export function findLetterToken(body: string): string | undefined {
  return [...body.matchAll(/\/network\?token=([\w-]{43,128})$/gm)].at(-1)?.[1];
}
