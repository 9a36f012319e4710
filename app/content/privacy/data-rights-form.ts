import { company } from "../company";
import { helpWithoutMail } from "../pages/contact";
import { dataRightsTypeWords } from "./data-rights-types";

/** All texts of the form on the data rights page (REQUIREMENTS 5.2, which fixes the placeholders). */
export const dataRightsForm = {
  fields: {
    name: { label: "Full name", placeholder: "Enter your full name" },
    email: {
      label: "Email",
      hint: "It must match the email address associated with your data.",
      placeholder: "name@example.com",
    },
    requestType: {
      label: "Request type",
      placeholder: "Select the type of request",
      options: Object.entries(dataRightsTypeWords).map(([value, label]) => ({ value, label })),
    },
    description: {
      label: "Additional details",
      placeholder: "Please provide specific details about your request...",
    },
  },
  trap: "Leave this field empty",
  next: "We will send you an email with a link. Open it and confirm that the request is yours; until then we can’t act on it. A complaint needs no confirmation. If the email doesn’t arrive, contact us and we can send it again.",
  /** shown instead of the page after a request was sent. @param by a day in words */
  sent: {
    request: {
      title: "One more step: check your email",
      lead: (by: string) => `By ${by}, open the link in our email to the address you gave. Until you do, we can’t act.`,
      help: helpWithoutMail,
    },
    complaint: {
      title: "We are looking into your complaint",
      lead: (by: string) => `We will email you the outcome by ${by}. You don’t need to confirm anything.`,
      help: () => "Our acknowledgement can take a while. Questions? Write to us:",
    },
    next: { label: "Your data rights", path: "/data-rights" },
  },
  send: "Submit Request",
  sending: "Submitting...",
  tooMany: (wait: string) =>
    `You have sent several requests in a short time. Your text is still here: send it again in ${wait}.`,
  direct: {
    before: "Prefer email? ",
    link: { label: company.email, path: `mailto:${company.email}` },
    after: " reaches us too. Write from the address that we have on file.",
  },
} as const;
