/** Who the firm is, in the words that pages, mails, policies and structured data repeat. */
export interface Company {
  readonly name: string;
  /** one line under the name, without a full stop */
  readonly tagline: string;
  readonly email: string;
  /** absolute address of the firm's own LinkedIn page */
  readonly linkedin: string;
  /** postal address on one line */
  readonly address: string;
  /** whose law governs the terms of service, e.g. "the State of …" */
  readonly jurisdiction: string;
  /** who arbitrates under the terms of service */
  readonly arbitrationBody: string;
  readonly founder: {
    readonly name: string;
    readonly role: string;
    /** absolute address of the founder's own LinkedIn page */
    readonly linkedin: string;
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

/**
 * The firm: change it here and nowhere else. What is unknown stands in brackets or under `.example`, which RFC 2606
 * reserves, so that no mail and no click ever reaches a stranger; `placeholders.ts` lists each of them.
 */
export const company: Company = {
  name: "Vital Line Advisory",
  tagline: "Strategic advisory and AI transformation for healthcare and wellness ventures",
  email: "hello@vital-line.example",
  linkedin: "https://linkedin.example/company/vital-line-advisory",
  address: "[Postal address]",
  jurisdiction: "[Governing jurisdiction]",
  arbitrationBody: "[Arbitration body]",
  founder: {
    name: "[Founder’s name]",
    role: "Founder, serial entrepreneur and licensed Series 65 advisor",
    linkedin: "https://linkedin.example/in/founder",
  },
  representatives: { europeanUnion: "", unitedKingdom: "" },
  processors: [],
};
