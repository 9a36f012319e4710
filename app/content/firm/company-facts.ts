import type { ReplyDays } from "~/lib/reply-promise";

/** Facts about the firm that pages, emails, policies and structured data share. */
export interface Company {
  readonly name: string;
  /** one line below the name, without a period */
  readonly tagline: string;
  readonly email: string;
  /** absolute URL of the firm's LinkedIn page; empty if there is none, which omits the link */
  readonly linkedin: string;
  /** postal address on one line */
  readonly address: string;
  /** jurisdiction whose law governs the terms of service, e.g. "the State of …" */
  readonly jurisdiction: string;
  /** arbitration body in the terms of service */
  readonly arbitrationBody: string;
  /** hours within which the firm replies to a contact message (REQUIREMENTS 3.5) */
  readonly replyWithinHours: number;
  /** days that count toward it: the setting REPLY_DAYS, not a fact in the file */
  readonly replyDays: ReplyDays;
  readonly founder: {
    readonly name: string;
    readonly role: string;
    /** absolute URL of the founder's LinkedIn page; empty if there is none */
    readonly linkedin: string;
    /** paragraphs of the about page; empty for the built-in text */
    readonly story: readonly string[];
    /** one sentence that the founder works by; empty for the built-in one */
    readonly philosophy: string;
    /** path of the picture on this site */
    readonly portrait: string;
  };
  /**
   * Name and address, on one line, of the firm's representatives under GDPR article 27, of the European Union and of
   * the United Kingdom. If one is empty, no page mentions it.
   */
  readonly representatives: { readonly europeanUnion: string; readonly unitedKingdom: string };
  /**
   * Processors under contract (GDPR, article 28), each by name with its task, such as "Example Inc. (hosting)". If
   * empty, the privacy policy names only the kinds of processors.
   */
  readonly processors: readonly string[];
  /** the three steps of "How it starts"; if empty, no page shows it */
  readonly process: readonly string[];
  /** at most three proofs on the home page */
  readonly proof: readonly Proof[];
  /** one example for each audience page, by audience */
  readonly examples: Readonly<Partial<Record<Audience, Example>>>;
}

/** A figure that the firm can prove, with its sentence and source. */
export interface Proof {
  readonly figure: string;
  readonly sentence: string;
  readonly source: string;
}

/** Audiences with a page of their own, as named in the file of facts. */
export type Audience = "startups" | "smallBusiness" | "growthStage" | "enterprises";

/** A piece of the firm's work, in three texts of at most 60 words together. */
export interface Example {
  readonly startingPoint: string;
  readonly work: string;
  readonly result: string;
}
