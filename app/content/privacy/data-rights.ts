import { dataRightsDeadline, gdprArticles } from "../facts";

const response = `${dataRightsDeadline.responseDays}\u00a0days`;
const extension = `${dataRightsDeadline.extensionDays}\u00a0days`;
const article = (rule: keyof typeof gdprArticles) => `(Article\u00a0${gdprArticles[rule]} GDPR)`;

/** One right of a person over the data that is held about them. */
interface DataRight {
  title: string;
  text: string;
}

/** The rights as the page numbers them (REQUIREMENTS 5.1); each text ends with the article that grants the right. */
const rights: readonly DataRight[] = [
  {
    title: "Access",
    text: `You can ask whether we hold data about you, receive a copy of it, and learn what we use it for, how long we keep it and who received it. ${article("access")}`,
  },
  {
    title: "Rectification",
    text: `You can have data corrected where it is wrong, and completed where something that matters is missing. ${article("rectification")}`,
  },
  {
    title: "Erasure",
    text: `You can have data deleted, for example when we no longer need it or you withdraw your consent. We must keep what the law requires us to keep. ${article("erasure")}`,
  },
  {
    title: "Portability",
    text: `You can receive the data that you gave us in a common, machine-readable format, to keep or to give to somebody else. ${article("portability")}`,
  },
  {
    title: "Restriction",
    text: `You can have us keep data without using it, for example while we check whether it is correct. ${article("restriction")}`,
  },
  {
    title: "Objection",
    text: `You can object to uses that rest on our legitimate interests. We then stop, unless we have compelling reasons that outweigh yours or need the data for legal claims. ${article("objection")}`,
  },
];

/** Every word of the page on data rights. Its numbers come from facts.ts, as those of the policies do. */
export const dataRightsPage = {
  path: "/data-rights",
  label: "Data Rights",
  title: "Your Data Rights",
  description:
    "Your rights over the personal data that we hold about you, how to use them, how soon we answer, and how we verify who is asking.",
  lead: "Your personal data belongs to you. This page explains your rights under the General Data Protection Regulation (GDPR) and how to use them. Making a request is free.",
  rights: { title: "Your rights", items: rights },
  asking: {
    title: "How to make a request",
    text: "Say which right you want to use and which data it is about. You don’t need to give a reason.",
  },
  deadline: {
    title: "How soon we answer",
    text: `We respond within ${response} of receiving your request, or sooner where the law requires it. In complex cases we may extend this by ${extension}; we will tell you so, and why, within the first ${response}. ${article("deadline")}`,
    steps: [
      { value: response, text: "to respond to your request" },
      { value: `+ ${extension}`, text: "at most, in complex cases, with the reason" },
    ],
  },
  identity: {
    title: "We verify who is asking",
    text: `Your data must not reach a stranger. Before we act on a request, we make sure that it comes from you, in most cases by writing to the email address that the data is stored under. If we still have reasonable doubts, we ask for further information, and only as much as we need. ${article("identity")}`,
  },
  help: {
    title: "Need help?",
    before: "If you are not sure which right applies, or are not satisfied with an answer, ",
    link: { label: "contact us", path: "/contact" },
    after: `. You may also complain to your data protection authority at any time. ${article("complaint")}`,
    policy: {
      before: "What we hold and why is described in the ",
      label: "privacy policy",
      path: "/privacy-policy",
      after: ".",
    },
  },
} as const;
