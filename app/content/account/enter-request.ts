/** Every word of the form by which an admin enters a request that came otherwise. */
export const enterRequestPage = {
  title: "Enter a Request",
  lead: "A request or a complaint counts however it arrives. Its deadline runs from the day it arrived, and the person gets an email with a status link.",
  link: "Enter a request that came by letter, phone or email",
  fields: {
    name: { label: "Full name" },
    email: { label: "Email", hint: "The address under which the data is stored. Our answers go there." },
    requestType: { label: "Request type", placeholder: "Select the type of request" },
    description: { label: "Details", hint: "What the person asks for. They get this with their data." },
    channel: {
      label: "How it arrived",
      placeholder: "Select one",
      options: [
        { value: "letter", label: "Letter" },
        { value: "phone", label: "Phone" },
        { value: "email", label: "Email" },
      ],
    },
    receivedOn: { label: "Date received", hint: "Within the last 90 days." },
    isIdentified: {
      label:
        "I have verified this person’s identity, so they need not confirm by email (nobody has to for a complaint)",
    },
  },
  submit: "Enter request",
  mistakes: {
    channel: "Select how the request arrived",
    receivedOn: "Enter the date the request was received, within the last 90 days",
  },
} as const;
