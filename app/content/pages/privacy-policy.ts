import { company } from "../company";
import { contactRetentionYears, replyWithinHours } from "../facts";

/** What happens to a contact message, in the words of the page that the contact form links to. */
export const privacyPage = {
  title: "Privacy Policy",
  description: `What ${company.name} does with the message you send.`,
  sections: [
    {
      title: "What we keep",
      text: "When you write to us we keep your name, email address, company, business stage, goal and message, the time, and the internet address that the message came from.",
    },
    {
      title: "What we use it for",
      text: `Only to answer you, within ${replyWithinHours} hours. You agree to this when you tick the box on the form, and you may withdraw that at any time.`,
    },
    { title: "How long", text: `For ${contactRetentionYears} years, unless you ask us to erase it sooner.` },
    {
      title: "Your rights",
      text: `You may ask what we hold about you, have it corrected or erased, or object to its use. Write to ${company.email}.`,
    },
  ],
};
