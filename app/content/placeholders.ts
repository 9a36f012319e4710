import { company, replyPromise } from "./company";
import { type Placeholder, listGivenClaims } from "./given-claims";
import { aboutPage } from "./pages/about";

/** Facts with a built-in placeholder (firm/built-in.ts) until the firm's file of facts supplies them. */
export const factPlaceholders: readonly Placeholder[] = [
  {
    key: "name",
    what: "The firm’s registered name (now a neutral working name)",
    where: "every page, mail and policy",
  },
  { key: "email", what: "An address that the firm reads", where: "contact page, mails and policies" },
  { key: "linkedin", what: "The firm’s LinkedIn page", where: "footer of every page, structured data" },
  {
    key: "address",
    what: "The firm’s postal address",
    where: "privacy policy and terms of service; letters to the investor network are off without it",
  },
  { key: "jurisdiction", what: "Whose law governs the terms", where: "terms of service, governing law" },
  { key: "arbitrationBody", what: "Who arbitrates disputes", where: "terms of service, dispute resolution" },
  {
    key: "founder.name",
    what: "The founder’s name",
    where: "home, audience, investors, contact and about pages, mails, structured data",
  },
  { key: "founder.linkedin", what: "The founder’s LinkedIn page", where: "about page, structured data" },
  {
    key: "founder.portrait",
    what: "A photograph of the founder (now initials)",
    where: "wherever the founder’s name stands",
  },
];

const founderClaim: Placeholder = {
  key: "claims.founder",
  what: "Confirm the founder’s companies and Series 65 license, which anyone can look up",
  where: "about page, and with a founder’s name home, audience and investors pages",
  says: "is a serial entrepreneur and a licensed Series 65 advisor",
};

/** Claims about the firm that only the firm can verify. Approve each or change its text. */
export const claims: readonly Placeholder[] = [
  {
    key: "claims.experience",
    what: "Be able to show more than 20 years of starting, running and growing ventures",
    where: "home and about pages",
    says: "20+ years of proven execution",
  },
  {
    key: "claims.specialists",
    what: "Have senior specialists to bring in, and for as long as a client needs them",
    where: "home, about and startups pages",
    says: "brings in senior specialists",
  },
  {
    key: "claims.speed",
    what: "Be able to show that clients move faster and at lower risk",
    where: "home page",
    says: "Faster execution with lower risk",
  },
  // A story and role from the file of facts are the firm's own claims.
  ...(company.founder.story.length > 0 && !company.founder.role.includes("Series 65") ? [] : [founderClaim]),
  {
    key: "claims.quotation",
    what: "Approve the quotation, and that the firm and its founder work by it",
    where: "about page, and with a founder’s name home, audience and investors pages",
    says: aboutPage.philosophy.quote,
  },
  {
    key: "claims.partner",
    what: "Have the partner who gives the training, and decide whether to name them",
    where: "enterprises page",
    says: "Training delivered by a specialist partner",
  },
  {
    key: "claims.network",
    what: "Have an investor network, and know what joining it means",
    where: "investors and contact pages",
    says: "Join the investor network",
  },
  {
    key: "claims.preparation",
    what: "Bring companies that have the data room, the model and the list of risks",
    where: "investors page",
    says: "Hold us to that.",
  },
  {
    key: "claims.syndication",
    what: "Have securities counsel confirm that this support needs no broker-dealer registration",
    where: "investors page, terms of service",
    says: "share diligence, a calendar and one set of open questions, which we keep",
  },
  {
    key: "claims.after-closing",
    what: "Be able to place an executive in a company after closing",
    where: "investors page",
    says: "a fractional executive where a seat is empty",
  },
  {
    key: "claims.reply",
    what: "Reply to every message within the promised time (replyWithinHours), weekends included unless REPLY_DAYS=business, and by a person: the mail that thanks for a message names the founder",
    where: "home, audience, contact and accessibility pages, mails, after sending a message",
    says: `We reply within ${replyPromise}`,
  },
  {
    key: "claims.other-ways",
    what: "Be ready to give people with disabilities what they need in another way",
    where: "accessibility page",
    says: "we will give you what you need in another way",
  },
  {
    key: "claims.legal-texts",
    what: "Have a lawyer read them: that interests were weighed, processors are under contract, transfers are safeguarded, interruptions are announced",
    where: "privacy policy, terms of service, cookie policy",
  },
  ...listGivenClaims(),
];
