import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields";
import { dataRightsRequestSchema } from "#supabase/functions/_shared/data-rights-request";
import { clearedCookies, cookies } from "~/content/cookie-registry";
import { dataRightsDeadline } from "~/content/facts";
import { contactPage } from "~/content/pages/contact";
import { accessInformation } from "~/content/privacy/access-information";
import { dataRightsPage } from "~/content/privacy/data-rights";
import { processorSentences, representativeSentences } from "~/content/privacy/legal-words";
import { createLegalDocuments } from "~/features/legal/legal-documents.server";
import { parseSettings } from "~/server/config/settings.server";

// Compares statements of the legal texts without a number (names, recipients, placeholders) with the program.

const documents = createLegalDocuments({ settings: parseSettings({}) });
const readHtml = (path: keyof typeof documents) => documents[path].sections.map(({ html }) => html).join("");
const read = (path: keyof typeof documents) => readHtml(path).replace(/<[^>]+>/g, "");
const recipientsHtml =
  documents["/privacy-policy"].sections.find(({ id }) => id === "who-receives-your-data")?.html ?? "";

describe("recipients", () => {
  /** The policy's recipient for each host that the program connects to; links that a visitor follows do not count. */
  const recipientOf: Record<string, string> = {
    "project.supabase.co": "Hosting and database providers",
    "api.resend.com": "Email providers",
    "www.googletagmanager.com": "Google",
    "*.google-analytics.com": "Google",
    "*.analytics.google.com": "Google",
    "*.googletagmanager.com": "Google",
  };
  const linksAndNames = [
    "linkedin.example",
    "ico.org.uk",
    "www.edpb.europa.eu",
    "schema.org",
    "firm.example",
    "resend.com",
  ];
  const named = [...recipientsHtml.matchAll(/<strong>([^<]+)<\/strong>/g)].map(([, name]) => name);

  it("are named for every host in the program", () => {
    const files = ["app", "supabase/functions"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
    );
    const code = files
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    const hosts = new Set([...code.matchAll(/https:\/\/([a-z*][a-z0-9.*-]*[a-z])/g)].map(([, host]) => host ?? ""));
    expect(hosts.size).toBeGreaterThan(5);
    const unknown = [...hosts].filter((host) => !linksAndNames.includes(host) && !recipientOf[host]);
    expect(unknown).toEqual([]);
    for (const recipient of Object.values(recipientOf)) expect(named).toContain(recipient);
  });

  it.each([
    [
      "a hosted project",
      { isHosted: true, sendsMail: false, copiesBackups: false, hasAnalytics: false },
      /database/,
      "Hosting and database providers",
    ],
    [
      "copies of backups",
      { isHosted: false, sendsMail: false, copiesBackups: true, hasAnalytics: false },
      /^A provider of storage/,
      "Hosting and database providers",
    ],
    [
      "mail",
      { isHosted: false, sendsMail: true, copiesBackups: false, hasAnalytics: false },
      /^Email providers/,
      "Email providers",
    ],
    ["analytics", { isHosted: false, sendsMail: false, copiesBackups: false, hasAnalytics: true }, /^Google/, "Google"],
    [
      "any site",
      { isHosted: false, sendsMail: false, copiesBackups: false, hasAnalytics: false },
      /advisors/,
      "Professional advisors",
    ],
  ])("of %s are listed both in the policy and in the data package", (_what, site, words, name) => {
    expect(accessInformation(site).recipients.some((recipient) => words.test(recipient))).toBe(true);
    expect(named).toContain(name);
  });

  it("and representatives are named if the firm has entered them, and omitted otherwise", () => {
    expect(processorSentences([])).toEqual([]);
    expect(processorSentences(["A Inc. (hosting)", "B Ltd (email)"])).toEqual([
      "At present these process data on our behalf: A Inc. (hosting), B Ltd (email).",
    ]);
    expect(representativeSentences({ europeanUnion: "", unitedKingdom: "" })).toEqual([]);
    const both = representativeSentences({ europeanUnion: "C, Dublin", unitedKingdom: "D, Leeds" });
    expect(both).toEqual([
      "Our representative in the European Union (Article\u00a027 GDPR): C, Dublin.",
      "Our representative in the United Kingdom (Article\u00a027 GDPR there): D, Leeds.",
    ]);
  });
});

it("states that all fields are required, as they are", () => {
  expect(contactFieldList.filter(([, field]) => field.isOptional)).toEqual([]);
  expect(read("/privacy-policy")).toContain("The form asks for all of them, so that we can answer to the point");
});

it("does not claim a single purpose at the email field when the policy has several", () => {
  const [, purposes = ""] = /Email address: so that we can ([^.]*)\./.exec(read("/privacy-policy")) ?? [];
  expect(purposes.split(", ").length).toBeGreaterThan(1);
  expect(contactPage.help.email?.hint ?? "").not.toMatch(/\bonly\b/i);
});

it("lists the fields of the data rights form", () => {
  const words: Record<string, string> = {
    name: "your name",
    email: "your email address",
    requestType: "the kind of request",
    description: "its details",
  };
  const fields = Object.keys(dataRightsRequestSchema.shape).filter((field) => field !== "honeypot");
  expect(fields).toEqual(Object.keys(words));
  const { name, email, requestType, description } = words;
  expect(read("/privacy-policy")).toContain(`we receive ${name}, ${email}, ${requestType} and ${description}.`);
});

it("lists exactly the removed cookies in the cookie policy, and marks the one of older versions", () => {
  const { analytics, analyticsPrefixes, marketing } = clearedCookies;
  const names = [...analytics, ...analyticsPrefixes.map((prefix) => `${prefix}*`)];
  expect(read("/cookie-policy")).toContain(`${names.join(", ")} (analytics), ${marketing.join(", ")} (marketing).`);
  expect(cookies.googleAnalyticsDay.purpose).toContain("The present one does not set it");
});

describe("complaints, appeals and health information", () => {
  const words = JSON.stringify([
    dataRightsPage.complaints,
    dataRightsPage.unitedStates,
    dataRightsPage.health,
  ]).replaceAll("\u00a0", " ");

  it("have their texts and deadlines on the page about data rights", () => {
    expect(words).toContain(`tell you the outcome within ${dataRightsDeadline.responseDays} days`);
    expect(words).toContain("section 164A of the UK Data Protection Act 2018");
    expect(words).toContain(`answer the appeal within ${dataRightsDeadline.responseDays} days`);
    for (const term of ["do not sell", "do not share", "authorized agent", "HIPAA", "My Health My Data"])
      expect(words).toContain(term);
  });

  it("are mentioned in the policy with a link", () => {
    expect(readHtml("/privacy-policy")).toMatch(
      /complain, to us and to a data protection authority[\s\S]*<a href="\/data-rights">[\s\S]*United States[\s\S]*health information/,
    );
    expect(read("/privacy-policy")).toContain("neither use nor share it for advertising");
  });
});
