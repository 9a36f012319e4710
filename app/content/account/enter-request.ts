/** Every word of the form by which an admin enters a request that came otherwise. */
export const enterRequestPage = {
  title: "Enter a Request",
  lead: "A request or a complaint counts by whatever way it comes. Its deadline runs from the day it came, and the person is sent an email with a status link.",
  link: "Enter a request that came by letter, phone or email",
  fields: {
    name: { label: "Full name" },
    email: { label: "Email", hint: "The address under which the data is stored. Our answers go there." },
    requestType: { label: "Request type", placeholder: "Select the type of request" },
    description: { label: "Details", hint: "What the person asks for. They get this with their data." },
    channel: {
      label: "How it came",
      placeholder: "Select one",
      options: [
        { value: "letter", label: "Letter" },
        { value: "phone", label: "Phone" },
        { value: "email", label: "Email" },
      ],
    },
    receivedOn: { label: "Day it came", hint: "Within the last 90 days." },
    isIdentified: {
      label: "I have made sure who this is: the person need not confirm by email (nobody has to for a complaint)",
    },
  },
  submit: "Enter request",
  mistakes: {
    channel: "Select how the request came",
    receivedOn: "Enter the day the request came, within the last 90 days",
  },
} as const;
