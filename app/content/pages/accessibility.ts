import { contactAddressFrom } from "~/lib/pages/contact-origin";
import { company, replyPromise } from "../company";

/** Claims about tests. `docs/evidence/accessibility.md` lists the tests; if you remove one, remove its claim, too. */
const tested: readonly string[] = [
  "Every page with axe, an automated accessibility checker: on a phone and on a desktop screen, in light and in dark colors, with forms that have mistakes in them and with the cookie dialog open.",
  "Every page’s HTML against the HTML standard, and that each page has a title of its own, a language, one main heading, headings in order, and landmarks.",
  "That no page scrolls sideways in a window 320 pixels wide, which is what a desktop window shows at 400% zoom.",
  "With a keyboard: the menu of small screens and the cookie dialog open, keep the focus while they are open, close with Escape and give the focus back. On the home page, the question about cookies never covers what has the focus, and neither do the buttons of the cookie dialog, down to a window of 320 by 256 pixels.",
  "That the forms name each mistake in words, link it to its field, keep what you typed and work without JavaScript.",
  "That nothing moves while a page loads, and that the drawn line at the top of a page does not move if your device asks for less motion.",
  "That text reaches a contrast of 7 to 1 if your device asks for more contrast.",
];

const limits: readonly string[] = [
  "Nobody has checked the site with a screen reader, a screen magnifier, speech input or a switch yet, and no one with a disability has tested it for us. Automated tests find only part of what gets in people’s way.",
  "The tests run in one browser, Chromium. We have not tested Firefox, Safari or phones themselves.",
  "On the contact form, the Send Message button stays disabled until you check the box above it, as the words beside the button say. Without JavaScript the button always works.",
  "In the privacy policy, the terms of service and the cookie policy, some sentences are long and use legal terms.",
  "Documents that we exchange with you in the course of our work, and LinkedIn, to which we link, are not part of this website and of this statement.",
];

/** All texts of the accessibility statement (REQUIREMENTS 6.5). */
export const accessibilityPage = {
  path: "/accessibility",
  title: "Accessibility",
  description: `How accessible the website of ${company.name} is, how we test it, what we know does not work well yet, and how to reach us.`,
  lead: "We want everyone to be able to read this website and to write to us, whatever device, browser or assistive technology they use.",
  preparedOn: { words: "Prepared on", day: "2026-11-29" },
  sections: [
    {
      title: "The standard we follow",
      paragraphs: [
        "We build this website to meet the Web Content Accessibility Guidelines (WCAG) 2.2, levels A and AA.",
        "We have assessed it ourselves, mostly with automated tests. No outside auditor has, so we do not claim that it conforms in full.",
      ],
    },
    {
      title: "What we test, and how",
      paragraphs: ["Automated tests open the finished website, most of them in a real browser. They check:"],
      items: tested,
    },
    {
      title: "What we know does not work well yet",
      paragraphs: ["These are the limits that we know of:"],
      items: limits,
    },
    {
      title: "The report behind this page",
      paragraphs: [
        "A report lists every criterion of WCAG 2.2, levels A and AA. For each it says whether an automated test covers it, whether a person has checked it, or whether nobody has. It is kept with the source code of this website, and we will send it to you if you ask.",
      ],
    },
  ],
  contact: {
    title: "Tell us what gets in your way",
    before: `If you cannot read or use something here, tell us what you wanted to do and what happened. We reply within ${replyPromise}, and we will give you what you need in another way. Use the `,
    link: { label: "contact form", path: contactAddressFrom("/accessibility") },
    between: " or, if the form is the problem, write to ",
    after: ".",
  },
} as const;
