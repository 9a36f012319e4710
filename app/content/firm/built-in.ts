import type { Company } from "./company-facts";

/**
 * What stands on the site until the operator's file of facts says it. What is unknown stands in brackets or under `.example`,
 * which RFC 2606 reserves, so that no mail and no click ever reaches a stranger; `placeholders.ts` says what each waits for.
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
    portrait: "/founder.svg",
  },
  representatives: { europeanUnion: "", unitedKingdom: "" },
  processors: [],
};
