import { readFileSync, readdirSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields";
import { networkMailPeriods } from "#supabase/functions/_shared/mails/network-mail";
import { replyWithinHours } from "~/content/company";
import { clearedCookies, consentVersion } from "~/content/cookie-registry";
import { dataRightsDeadline, liabilityCapMonths, minimumAgeYears, networkPeriods, retention } from "~/content/facts";
import { processorSentences, representativeSentences } from "~/content/privacy/legal-words";
import { LegalDocument } from "~/features/legal/legal-document";
import { createLegalDocuments } from "~/features/legal/legal-documents.server";
import { parseSettings } from "~/server/config/settings.server";

const createDocuments = (settings: Record<string, string> = {}) =>
  createLegalDocuments({ settings: parseSettings(settings) });
const documents = createDocuments();

const htmlOf = ({ introduction, sections }: (typeof documents)["/privacy-policy"]) =>
  [introduction, ...sections.map(({ html }) => html)].join("");

/** Returns the text of a site's privacy policy as a reader sees it. */
const readPolicy = (settings: Record<string, string>) =>
  htmlOf(createDocuments(settings)["/privacy-policy"])
    .replace(/<[^>]+>/g, "")
    .replaceAll("\u00a0", " ");

/** Returns the bold terms of a section of the privacy policy, without a colon. */
function listTerms(sectionId: string): string[] {
  const html = documents["/privacy-policy"].sections.find(({ id }) => id === sectionId)?.html ?? "";
  return [...html.matchAll(/<strong>([^<:]+):?<\/strong>/g)].map(([, term]) => term ?? "");
}

it("has the numbers of the requirements", () => {
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
  expect(new Set(cleared)).toEqual(new Set("_ga _gid _gat _gcl_au _fbp _fbq __utma __utmb __utmc __utmz".split(" ")));
});

it("has the periods that mails to the investor network name", () => {
  expect(networkPeriods).toMatchObject(networkMailPeriods);
});

it("states the retention of backups and the content of mails to the firm as the settings have them", () => {
  const usual = readPolicy({});
  expect(usual).toContain("Backups are deleted after 30 days.");
  expect(usual).toContain("a copy to our mailbox, reminders to us to answer it, an acknowledgement to you");
  const changed = readPolicy({ BACKUP_KEEP_DAYS: "7", MAIL_CONTENT: "notice" });
  expect(changed).toContain("Backups are deleted after 7 days.");
  expect(changed).toContain(
    "a notice to our mailbox, which quotes nothing of it, reminders to us to answer it, an acknowledgement to you",
  );
  expect(changed).not.toContain("a copy to our mailbox");
});

it("names processors and representatives if the firm has entered them", () => {
  expect(processorSentences([])).toEqual([]);
  expect(processorSentences(["A Inc. (hosting)", "B Ltd (email)"])).toEqual([
    "At present these process data on our behalf: A Inc. (hosting), B Ltd (email).",
  ]);
  expect(representativeSentences({ europeanUnion: "", unitedKingdom: "" })).toEqual([]);
  expect(representativeSentences({ europeanUnion: "C, Dublin", unitedKingdom: "D, Leeds" })).toEqual([
    "Our representative in the European Union (Article\u00a027 GDPR): C, Dublin.",
    "Our representative in the United Kingdom (Article\u00a027 GDPR there): D, Leeds.",
  ]);
});

it("lists every field of the contact form among the collected data, in its order", () => {
  const terms = ["Name", "Email address", "Company", "Business stage", "Business goals", "Message"];
  expect(contactFieldList.map(([name]) => name)).toEqual(["name", "email", "company", "stage", "goal", "message"]);
  expect(listTerms("the-data-we-collect").slice(0, terms.length)).toEqual(terms);
});

it("names a recipient for every host to which the program connects", () => {
  const recipientOf: Record<string, string> = {
    "project.supabase.co": "Hosting, database and storage providers",
    "api.resend.com": "Email providers",
    "www.googletagmanager.com": "Google",
    "*.google-analytics.com": "Google",
    "*.analytics.google.com": "Google",
    "*.googletagmanager.com": "Google",
  };
  /** Hosts of links that a visitor follows, and names that are no addresses. */
  const others = ["linkedin.example", "ico.org.uk", "www.edpb.europa.eu", "schema.org", "firm.example", "resend.com"];
  const hosts = ["app", "supabase/functions"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/https:\/\/([a-z*][a-z0-9.*-]*[a-z])/g)])
    .map(([, host = ""]) => host);
  expect(new Set(hosts)).toEqual(new Set([...Object.keys(recipientOf), ...others]));
  expect(listTerms("who-receives-your-data")).toEqual(expect.arrayContaining(Object.values(recipientOf)));
});

it.each(Object.values(documents))(
  "shows version, date and contents of $path, and its first version last",
  (document) => {
    const html = renderToStaticMarkup(createElement(LegalDocument, { document }));
    const { title, version, lastUpdated, sections } = document;
    expect([...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)).toEqual(sections.map(({ id }) => id));
    for (const { id } of sections) expect(html).toContain(`<section id="${id}"><h2>`);
    expect(html).toContain(`<time dateTime="${lastUpdated.iso}">`);
    const text = html.replace(/<[^>]+>/g, "");
    expect(text.startsWith(`${title}Version ${version} · Last updated ${lastUpdated.text}`)).toBe(true);
    expect(text.endsWith("Version 1.0: last updated October 24, 2025")).toBe(true);
  },
);
