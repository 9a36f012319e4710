import type { Delivery } from "./delivery.server";

/** Names of mails inside a sentence, by kind. */
const mailNames: Readonly<Record<string, string>> = {
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

/** Names mails inside a sentence, the oldest first: "the acknowledgement and our reply". */
export function nameMails(mails: readonly Pick<Delivery, "kind">[]): string {
  const names = new Set(mails.map(({ kind }) => mailNames[kind] ?? "the email").toReversed());
  return new Intl.ListFormat("en-US").format(names);
}

/** Page that a mail belongs to. `name` follows the words. */
export interface MailOwner {
  path: string;
  words: string;
  name?: string;
  back: string;
}

/** Finds what a mail belongs to; null for a mail without a page. */
export function findOwner({ submission, request, link, member }: Omit<Delivery, "id">): MailOwner | null {
  if (submission)
    return {
      path: `/admin/messages/${submission.id}`,
      words: "Message from ",
      name: submission.name,
      back: "Back to the message",
    };
  if (request)
    return {
      path: `/admin/requests/${request.id}`,
      words: `Request ${request.reference}`,
      back: `Back to request ${request.reference}`,
    };
  if (member)
    return {
      path: `/admin/network/${member.id}`,
      words: "Member of the investor network: ",
      name: member.name,
      back: "Back to the member",
    };
  if (link === null) return null;
  const words = link.purpose === "invitation" ? `Invitation to ${link.email}` : `New password for ${link.email}`;
  return { path: "/admin/people", words, back: "Back to People" };
}
