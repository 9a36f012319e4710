import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contactMails } from "#supabase/functions/_shared/mails/contact-mail";
import { contactMessageSchema } from "#supabase/functions/_shared/contact-message";
import { clearedCookies, consentVersion } from "~/content/cookie-registry";
import { replyWithinHours } from "~/content/company";
import {
  acknowledgementLimits,
  clientLimits,
  dataRightsDeadline,
  liabilityCapMonths,
  minimumAgeYears,
  retention,
} from "~/content/facts";
import { messages } from "~/content/messages";
import { contactPage } from "~/content/pages/contact";
import { dataRightsPage } from "~/content/privacy/data-rights";
import { createLegalDocuments } from "~/features/legal/legal-documents.server";
import { parseSettings } from "~/server/config/settings.server";

const legalDocuments = createLegalDocuments({ settings: parseSettings({}) });

/** Returns a document's text as a reader sees it, without tags and non-breaking spaces. */
function read(path: keyof typeof legalDocuments, documents = legalDocuments): string {
  return documents[path].sections
    .map(({ html }) => html)
    .join("")
    .replace(/<[^>]+>/g, "")
    .replaceAll("\u00a0", " ");
}

/** Returns the bold terms at the start of list items. */
function listTerms(html: string): string[] {
  return [...html.matchAll(/<li><strong>([^<:]+):<\/strong>/g)].map(([, term]) => term ?? "");
}

const collected = legalDocuments["/privacy-policy"].sections.find(({ id }) => id === "the-data-we-collect")?.html ?? "";
const [, whatYouSend = "", , whatBrowsersSend = ""] = collected.split("<h3>");

/** Returns the privacy policy of a site with these settings. */
function readWith(variables: Record<string, string>): string {
  return read("/privacy-policy", createLegalDocuments({ settings: parseSettings(variables) }));
}

it("states the retention of backups and the content of emails to the firm according to the settings", () => {
  expect(readWith({})).toContain("Backups are deleted after 30 days.");
  expect(readWith({})).toContain("a copy to our mailbox, and an acknowledgement to you");
  const changed = readWith({ BACKUP_KEEP_DAYS: "7", MAIL_CONTENT: "notice" });
  expect(changed).toContain("Backups are deleted after 7 days.");
  expect(changed).toContain("a notice to our mailbox, which quotes nothing of it, and an acknowledgement to you");
  expect(changed).not.toContain("a copy to our mailbox");
});

it("has the required numbers", () => {
  expect({ consentVersion, replyWithinHours, minimumAgeYears, liabilityCapMonths }).toEqual({
    consentVersion: "1.0",
    replyWithinHours: 24,
    minimumAgeYears: 18,
    liabilityCapMonths: 12,
  });
  expect(dataRightsDeadline).toEqual({ responseDays: 30, extensionDays: 60 });
  expect(retention).toMatchObject({
    contactSubmissionYears: 2,
    consentRecordYears: 2,
    analyticsMonths: 26,
    analyticsAnonymizedAfterMonths: 14,
  });
  const cleared = [...clearedCookies.analytics, ...clearedCookies.marketing];
  const specified = "_ga _gid _gat _gcl_au _fbp _fbq __utma __utmb __utmc __utmz".split(" ");
  expect(new Set(cleared)).toEqual(new Set(specified));
});

describe("the collected data in the privacy policy", () => {
  const namesOfFields = {
    name: "Name",
    email: "Email address",
    company: "Company",
    stage: "Business stage",
    goal: "Business goals",
    message: "Message",
  };
  const namesOfColumns: Record<string, string> = {
    ...namesOfFields,
    id: "Reference",
    created_at: "Date and time",
    ip_address: "IP address",
    consented_at: "Consent",
    consent_policy_version: "Consent",
    consent_text_hash: "Consent",
    quarantine_reason: "Spam check",
    state: "State",
    // When the reply is due, and when it was sent: part of the state.
    answer_due_at: "State",
    answered_at: "State",
    answer_notice: "State",
    waiting_since: "State",
    frozen_at: "Restriction",
    marked_by_link_at: "State",
    undelivered_at: "State",
    version: "State",
  };

  it("matches the fields of the contact form exactly", () => {
    const fields = Object.keys(contactMessageSchema.shape).filter(
      (key) => !["honeypot", "privacyConsent"].includes(key),
    );
    expect(fields).toEqual(Object.keys(namesOfFields));
    expect(listTerms(whatYouSend).slice(0, fields.length)).toEqual(Object.values(namesOfFields));
  });

  it("matches the database columns of a message", () => {
    const kept = readColumns("contact_submissions").map((column) => namesOfColumns[column] ?? `unnamed: ${column}`);
    // Separate tables store the fingerprint and the replies.
    expect(new Set(listTerms(whatYouSend))).toEqual(new Set([...kept, "Fingerprint", "Replies"]));
  });

  it("lists the data that browsers send automatically", () => {
    expect(listTerms(whatBrowsersSend)).toEqual([
      "IP address",
      "Browser",
      "Device",
      "Pages visited and time",
      "Referrer",
    ]);
  });
});

/** Reads the columns from all migrations, so that a column added later must be explained, too. */
function readColumns(table: string): string[] {
  const sql = readdirSync("supabase/migrations")
    .map((file) => readFileSync(`supabase/migrations/${file}`, "utf8"))
    .join("\n");
  const [, body = ""] = new RegExp(`create table public\\.${table} \\((.*?)\\n\\);`, "s").exec(sql) ?? [];
  const created = [...body.matchAll(/^ {2}([a-z_]+) /gm)].map(([, column]) => column ?? "");
  const added = [
    ...sql.matchAll(new RegExp(`alter table public\\.${table}\\s+add column (?:if not exists )?([a-z_]+)`, "g")),
  ];
  return [...created, ...added.map(([, column]) => column ?? "")];
}

describe("the promise to reply", () => {
  it("is the same in the policy, on the page, in the confirmation and in the email", () => {
    const promise = `within ${replyWithinHours} hours`;
    const message = { name: "A", email: "a@b.example", company: "C", stage: "D", goal: "E", message: "F" };
    const [, acknowledgement] = contactMails(
      { ...message, honeypot: "", privacyConsent: true },
      { id: "0", url: undefined, mailContent: "full" },
    );
    expect(read("/privacy-policy")).toContain(promise);
    expect(contactPage.lead).toContain(promise);
    expect(messages.contactSent.text).toContain(promise);
    expect(acknowledgement?.body).toContain(promise);
  });
});

it("takes every period in the documents from the facts", () => {
  const privacy = read("/privacy-policy");
  const { contactSubmissionYears, consentRecordYears, analyticsMonths, analyticsAnonymizedAfterMonths } = retention;
  const { responseDays, extensionDays } = dataRightsDeadline;
  expect(privacy).toMatch(new RegExp(`Contact messages[^.]* kept for ${contactSubmissionYears} years`));
  expect(privacy).toMatch(new RegExp(`choices about cookies are kept for ${consentRecordYears} years at most`));
  for (const text of [privacy, read("/cookie-policy")]) {
    expect(text).toContain(`kept for ${analyticsMonths} months at most`);
    expect(text).toContain(`for ${analyticsAnonymizedAfterMonths} months at most`);
  }
  const { signalRecordDays, senderAddressDays } = retention;
  expect(privacy).toContain(`What only a signal chose is deleted after ${signalRecordDays} days`);
  expect(read("/cookie-policy")).toContain(`That record is deleted after ${signalRecordDays} days`);
  expect(privacy).toContain(`recognize abuse; deleted after ${senderAddressDays} days`);
  const { closedRequestYears, unconfirmedRequestDays, mailDays, recordYears, withdrawnConsentDays } = retention;
  expect(privacy).toContain(`kept for ${closedRequestYears} years after they were closed`);
  expect(privacy).toContain(`shows a request ends ${retention.statusLinkDays} days after that`);
  expect(privacy).toContain(
    `counts how often an IP address has a choice about cookies recorded or shown, sends a form or opens a secret link of ours within ${clientLimits.windowMinutes} minutes`,
  );
  expect(privacy).toContain(`it has led to within ${acknowledgementLimits.countedHours} hours`);
  expect(privacy).toContain(`deleted ${unconfirmedRequestDays} days after its answer would have been due`);
  expect(privacy).toContain(`for ${mailDays} days after they were delivered`);
  expect(privacy).toContain(`are kept for ${recordYears} years`);
  expect(privacy).toContain(`is deleted ${withdrawnConsentDays} days later`);
  expect(privacy).toContain(`We answer within ${responseDays} days`);
  expect(privacy).toContain(`extend that by ${extensionDays} days`);
  expect(privacy).toContain(`under ${minimumAgeYears}`);
  expect(read("/terms-of-service")).toContain(`in the ${liabilityCapMonths} months before`);
  expect(JSON.stringify(dataRightsPage.deadline).replaceAll("\u00a0", " ")).toContain(`within ${responseDays} days`);
  expect(messages.dataRightsSent.text).toContain(`within ${responseDays} days`);
});
