import type { ReplyDays } from "~/lib/reply-promise";

/** Who the firm is, in the words that pages, mails, policies and structured data repeat. */
export interface Company {
  readonly name: string;
  /** one line under the name, without a full stop */
  readonly tagline: string;
  readonly email: string;
  /** absolute address of the firm's own LinkedIn page; empty where it has none: then nothing links there */
  readonly linkedin: string;
  /** postal address on one line */
  readonly address: string;
  /** whose law governs the terms of service, e.g. "the State of …" */
  readonly jurisdiction: string;
  /** who arbitrates under the terms of service */
  readonly arbitrationBody: string;
  /** a contact message is answered within this time (REQUIREMENTS 3.5) */
  readonly replyWithinHours: number;
  /** which days count for that: the operator's setting REPLY_DAYS, and no fact of the file */
  readonly replyDays: ReplyDays;
  readonly founder: {
    readonly name: string;
    readonly role: string;
    /** absolute address of the founder's own LinkedIn page; empty where there is none */
    readonly linkedin: string;
    /** what the about page says of them, paragraph by paragraph; empty: what is built in there */
    readonly story: readonly string[];
    /** address of the picture on this site */
    readonly portrait: string;
  };
  /**
   * Name and address, on one line, of those who stand for the firm where it has no place of business (GDPR, article 27, of the
   * European Union and of the United Kingdom). Empty where it has none: then no page speaks of one.
   */
  readonly representatives: { readonly europeanUnion: string; readonly unitedKingdom: string };
  /**
   * Who processes data for the firm under a contract (GDPR, article 28), each by name with its task, such as "Example Inc.
   * (hosting)". Empty: the privacy policy names their kinds only.
   */
  readonly processors: readonly string[];
}
