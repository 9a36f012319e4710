import { dataRightsDeadline, retention } from "~/content/facts";
import type { Settings } from "~/server/config/settings.server";
import { firmMustAnswer } from "./firm-must-answer.server";
import type { listRecipients } from "./recipients.server";
import type { describeProcessing } from "./record-of-processing.server";
import type { describeRetention } from "./retention.server";
import type { countRightsRequests } from "./rights-statistics.server";
import type { Measure } from "../measure.server";

/** What the other chapters have found out. */
export interface VendorFacts {
  settings: Settings;
  record: Awaited<ReturnType<typeof describeProcessing>>;
  recipients: ReturnType<typeof listRecipients>;
  retention: Awaited<ReturnType<typeof describeRetention>>;
  measures: Measure[];
  rights: Awaited<ReturnType<typeof countRightsRequests>>;
}

/** The questions that a hospital's form for vendors asks, answered as far as the program knows. */
export function answerVendorForm({ settings, record, recipients, retention: proof, measures, rights }: VendorFacts) {
  const { activities } = record;
  const isHosted = settings.backend.kind === "hosted";
  const hasAnalytics = settings.gaMeasurementId !== undefined;
  const [all] = rights.byType;
  const whether = (words: string) => {
    const found = measures.find(({ measure }) => measure.includes(words));
    return found ? `${inWords(found.holds)} ${found.evidence}.` : firmMustAnswer;
  };
  const answers: [question: string, answer: string][] = [
    [
      "Which personal data do you process, of whom, and why?",
      `${names(activities.map(({ name }) => name))}. See record-of-processing.md.`,
    ],
    [
      "Do you process health data or patients’ data?",
      "The website asks for none, and the privacy policy asks people to send none. A visitor may write some all the same; an admin can delete it.",
    ],
    [
      "Is protected health information (HIPAA) processed? Is there a business associate agreement?",
      `The website is not made for it, and asks for none. An agreement, and the firm’s other work: ${firmMustAnswer}`,
    ],
    ["On which legal bases?", "See record-of-processing.md, one for each activity."],
    [
      "Have the legitimate interests been weighed?",
      `${firmMustAnswer} legitimate-interests.md has the facts, and places for the judgment.`,
    ],
    ["Is there a data protection impact assessment, or a reason for none?", firmMustAnswer],
    ["Is there a data protection officer?", firmMustAnswer],
    [
      "Who represents the firm in the European Union and in the United Kingdom (GDPR Article 27)?",
      `European Union: ${record.controller.representativeInTheEuropeanUnion} United Kingdom: ${record.controller.representativeInTheUnitedKingdom}`,
    ],
    [
      "Where is the data stored?",
      `${isHosted ? "In the hosted project (recipients.md names it)." : "In one folder of the machine that runs the website."} The country: ${firmMustAnswer}`,
    ],
    [
      "Which subprocessors are there? Are contracts signed?",
      `${names(recipients.filter(({ role }) => role === "processor").map(({ name }) => name))}. The contracts: ${firmMustAnswer}`,
    ],
    ["Does data leave the country? On what ground?", firmMustAnswer],
    [
      "How long is data kept?",
      `Messages ${retention.contactSubmissionYears} years, data rights requests ${retention.closedRequestYears} years after they were closed, emails ${retention.mailDays} days after delivery. See retention.md for all.`,
    ],
    [
      "How do you prove that it is deleted?",
      proof.lastRun
        ? `Each run writes down how much it deleted: retention.md has twelve months. The last was at ${proof.lastRun.at}.`
        : "No run has been recorded yet.",
    ],
    [
      "Are there backups? How long, and are restores tested?",
      `${whether("There are backups")} ${isHosted ? firmMustAnswer : "`verify-backup` starts a backup’s database and compares every file and table. When that was done: " + firmMustAnswer}`,
    ],
    ["Is data encrypted in transit?", whether("encrypted connection")],
    ["Is data encrypted at rest?", whether("Stored data is encrypted")],
    [
      "Who has access? Is access taken from those who leave?",
      `The website’s admins; security-measures.md counts them. ${isHosted ? "Deleting the user in the project’s dashboard" : "`admin revoke`"} takes their access. Who has access to the ${isHosted ? "project" : "machine"} and the mailbox: ${firmMustAnswer}`,
    ],
    ["Is there multi-factor authentication?", whether("second factor")],
    ["Is access logged?", `Exports, changes and deletions: ${whether("is logged")} Looking at data is not logged.`],
    [
      "Is there a procedure for breaches, within 72 hours?",
      `docs/OPERATIONS.md has the steps, and \`privacy-pack breach-scope\` the figures of GDPR Article 33(3)(a). Who is called, and the contract’s own deadline: ${firmMustAnswer}`,
    ],
    ["Have there been breaches?", firmMustAnswer],
    [
      "How are requests of data subjects met?",
      `By a form, confirmed by email, within ${dataRightsDeadline.responseDays} days. Received: ${all?.received ?? 0}; median days until answered: ${all?.medianDays ?? "none answered yet"}; overdue: ${all?.overdue ?? 0}. See rights-statistics.md.`,
    ],
    [
      "Which cookies and trackers are used?",
      hasAnalytics
        ? "Google Analytics, only for visitors who allowed it; its advertising functions are always refused. The cookie policy lists all cookies."
        : "None but those that the website needs. The cookie policy lists all cookies.",
    ],
    ["Is personal data sold, or shared for advertising?", "The program has no function for either."],
    [
      "Is artificial intelligence used on the data? Are decisions automated?",
      `The program uses none, and makes no decision with legal or similarly serious effects. In the firm’s work with messages: ${firmMustAnswer}`,
    ],
    [
      "Is there a software bill of materials? How are vulnerabilities handled?",
      "`npm run sbom` writes it (CycloneDX), and the image carries its own. `npm run audit` looks for advisories; SECURITY.md says how to report one.",
    ],
    [
      "Has there been a penetration test by others?",
      `${firmMustAnswer} (The repository’s own tests send generated bad input and floods: tests/fuzz, tests/abuse.)`,
    ],
    ["Which certificates are held (ISO 27001, SOC 2, HITRUST)?", `${firmMustAnswer} (The program has none.)`],
    ["Is there cyber insurance?", firmMustAnswer],
    [
      "Is the website accessible?",
      `docs/evidence/accessibility.md says, criterion by criterion of WCAG 2.2, what is tested by programs; the statement for visitors is at /accessibility. Tests with people: ${firmMustAnswer}`,
    ],
    [
      "What happens to the data at the end?",
      isHosted
        ? "All of it is in the project, which the firm deletes."
        : "All of it is in one folder, which the firm deletes, with its backups.",
    ],
  ];
  return {
    answers: answers.map(([question, answer]) => ({ question, answer })),
    leftToTheFirm: answers.filter(([, answer]) => answer.includes(firmMustAnswer)).map(([question]) => question),
  };
}

function names(list: readonly string[]): string {
  return list.join(", ");
}

function inWords(holds: Measure["holds"]): string {
  return holds === "yes" ? "Yes." : holds === "no" ? "No." : firmMustAnswer;
}
