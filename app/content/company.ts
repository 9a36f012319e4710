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
 * reserves, so that no mail and no click ever reaches a stranger; `placeholders` lists each of them.
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

/** One fact that the firm must supply before the site goes live. */
export interface Placeholder {
  /** where it is kept: a path inside `company`, or `founder.portrait` for the picture */
  readonly key: string;
  /** what to supply */
  readonly what: string;
  /** where a visitor meets it */
  readonly where: string;
}

/** What the firm must still supply. Remove an entry here once its value is filled in. */
export const placeholders: readonly Placeholder[] = [
  {
    key: "name",
    what: "The firm’s registered name (now a neutral working name)",
    where: "every page, mail and policy",
  },
  { key: "email", what: "An address that the firm reads", where: "contact page, mails and policies" },
  { key: "linkedin", what: "The firm’s LinkedIn page", where: "footer of every page, structured data" },
  { key: "address", what: "The firm’s postal address", where: "privacy policy and terms of service" },
  { key: "jurisdiction", what: "Whose law governs the terms", where: "terms of service, governing law" },
  { key: "arbitrationBody", what: "Who arbitrates disputes", where: "terms of service, dispute resolution" },
  { key: "founder.name", what: "The founder’s name", where: "about page, structured data" },
  { key: "founder.linkedin", what: "The founder’s LinkedIn page", where: "about page, structured data" },
  { key: "founder.portrait", what: "A photograph of the founder (now a drawn figure)", where: "about page" },
];
