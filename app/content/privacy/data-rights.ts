import { contactAddressFrom } from "~/lib/pages/contact-origin";
import { company } from "../company";
import { complaintsLaw, dataRightsDeadline, gdprArticles } from "../facts";

const response = `${dataRightsDeadline.responseDays}\u00a0days`;
const extension = `${dataRightsDeadline.extensionDays}\u00a0days`;
const article = (rule: keyof typeof gdprArticles) => `(Article\u00a0${gdprArticles[rule]} GDPR)`;

/** The rights in the order of the page (REQUIREMENTS 5.1). Each text ends with the article that grants the right. */
const rights = [
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

/** All texts of the data rights page. The numbers come from facts.ts, like those of the policies. */
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
    text: "Say which right you want to use and which data it is about. You don’t need to give a reason, except for an objection: tell us why your situation makes that use wrong for you.",
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
  complaints: {
    title: "Complaints",
    paragraphs: [
      "If you are not satisfied with how we handle personal data, complain to us: with the form on this page, by email or by letter. You don’t need to confirm who you are.",
      `We tell you by email that your complaint has reached us, look into it, and tell you the outcome within ${response}. (${complaintsLaw})`,
    ],
    authority: {
      before: "You don’t need to complain to us first. You may go to a data protection authority at any time: ",
      european: {
        label: "the one where you live or work",
        path: "https://www.edpb.europa.eu/about-edpb/about-edpb/members_en",
      },
      between: ", or in the United Kingdom ",
      british: { label: "the Information Commissioner", path: "https://ico.org.uk/make-a-complaint/" },
      after: `. ${article("complaint")}`,
    },
  },
  withdrawal: {
    title: "Withdrawing your consent",
    paragraphs: [
      `What you agreed to with a message: reply to the email that acknowledged it, or write to ${company.email}, and say so. We then delete the message. ${article("withdrawal")}`,
      "What you agreed to about cookies: choose “Cookie preferences” at the foot of any page.",
    ],
  },
  unitedStates: {
    title: "State privacy laws in the United States",
    paragraphs: [
      "We honor the requests on this page wherever you live, and so also those to know, delete, correct or receive personal information under the laws of California and other states. We do not sell personal information, do not share it for advertising across websites, and treat nobody worse for using a right.",
      "An authorized agent may make a request for you, with the email address that the data is stored under. We write to that address, and whoever reads mail there confirms the request.",
      `If we refuse, you may appeal: reply to our answer. We answer the appeal within ${response}. If we refuse again, you may contact the attorney general of your state.`,
    ],
  },
  health: {
    title: "Health information",
    paragraphs: [
      "This website is not for protected health information under HIPAA. Receiving a message through it makes us neither a covered entity nor a business associate, and no business associate agreement covers it.",
      "We do not collect consumer health data in the sense of Washington’s My Health My Data Act: we do not ask for it, draw no conclusions about anybody’s health, and follow nobody’s location. If somebody sends us health information all the same, tell us, and we delete it.",
    ],
  },
  help: {
    title: "Need help?",
    before: "If you are not sure which right applies, or are not satisfied with an answer, ",
    link: { label: "contact us", path: contactAddressFrom("/data-rights") },
    after: ".",
    policy: {
      before: "What we hold and why is described in the ",
      label: "privacy policy",
      path: "/privacy-policy",
      after: ".",
    },
  },
} as const;
