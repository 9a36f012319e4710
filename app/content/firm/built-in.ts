import type { Company } from "./company-facts";

/**
 * Placeholders until the operator's file of facts supplies the values. Unknown values are in brackets or under
 * `.example`, which RFC 2606 reserves, so that no email and no click reaches a third party. `placeholders.ts` describes
 * what each one needs.
 */
export const builtInCompany: Company = {
  name: "Vital Line Advisory",
  tagline: "Strategic advisory and AI transformation for healthcare and wellness ventures",
  email: "hello@vital-line.example",
  linkedin: "https://linkedin.example/company/vital-line-advisory",
  address: "[Postal address]",
  jurisdiction: "[Governing jurisdiction]",
  arbitrationBody: "[Arbitration body]",
  replyWithinHours: 24,
  replyDays: "all",
  founder: {
    name: "[Founder’s name]",
    role: "Founder, serial entrepreneur and licensed Series 65 advisor",
    linkedin: "https://linkedin.example/in/founder",
    story: [],
    philosophy: "",
    portrait: "",
  },
  representatives: { europeanUnion: "", unitedKingdom: "" },
  processors: [],
  process: [],
  proof: [],
  examples: {},
  closed: [],
  engagements: [],
  people: [],
  clients: [],
};
