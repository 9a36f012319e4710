import { contactAddressFrom } from "~/lib/pages/contact-origin";
import { replyPromise } from "../company";
import type { OfferingPage } from "./offering-page";

/** All texts of the page for enterprises and health systems; REQUIREMENTS 2.5 lists its six topics. */
export const enterprisesPage: OfferingPage = {
  path: "/enterprises",
  line: "network",
  label: "Enterprises & Health Systems",
  title: "Advisory for enterprises and health systems",
  description:
    "For health systems and enterprises: intrapreneurship, spin-offs, leadership, inclusive management training, and AI under clinical governance.",
  headline: "New ventures inside a careful institution",
  lead: "A hospital can’t move fast and break things, and shouldn’t. We help boards and executives start ventures in care and wellness, grow leaders and adopt AI under governance that holds.",
  offeringsTitle: "From a nurse’s idea to a spin-off",
  offerings: [
    {
      title: "Intrapreneurship programs",
      text: "Nurses, physicians and analysts see where care fails. We set up the call for ideas, protected hours, a small budget, and a gate at which a committee must fund, change or stop each idea.",
    },
    {
      title: "New venture and spin-off strategy",
      text: "Who owns it, who licenses it back, what the parent keeps: settled before an outside investor asks.",
    },
    {
      title: "Leadership development",
      text: "Clinicians who become executives learn capital planning on a live project, with a coach at their side.",
    },
    {
      title: "Inclusive leadership and emotional intelligence",
      text: "Training delivered by a specialist partner: listening under pressure, fair feedback, scenes from hospital floors and offices.",
    },
    {
      title: "Innovation culture",
      text: "Every idea gets a reply within a set time, and teams that end a pilot honestly get credit.",
    },
    {
      title: "AI and digital transformation",
      text: "First, the models already in use, each with an accountable clinician and an off switch. Then new ones.",
    },
  ],
  outcomeTitle: "The outcome",
  outcome:
    "An institution that starts ventures on purpose, governs its AI in the open and keeps the people who have the ideas.",
  drawing: {
    name: "gate",
    description: "A line, an idea, comes to a gate. Behind it are three ways: fund, change, stop.",
    words: ["idea", "fund", "change", "stop"],
  },
  neighbor: { label: "Institutions usually start with Build", path: "/build" },
  action: {
    title: "Bring one question from your board",
    text: `A venture, a model, a leader in a new role: one concrete question is the best place to start. Expect a reply within ${replyPromise}.`,
    label: "Talk about your institution",
    path: contactAddressFrom("/enterprises"),
  },
};
