import { readFileSync, readdirSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { company } from "~/content/company";
import { clearedCookies, cookies } from "~/content/cookie-registry";
import { legalLinks } from "~/content/navigation";
import { dataRightsPage } from "~/content/privacy/data-rights";
import { createLegalDocuments } from "~/features/legal/legal-documents.server";
import { routes } from "~/routes";
import { parseSettings } from "~/server/config/settings.server";
import { LegalDocument } from "~/features/legal/legal-document";

const legalDocuments = createLegalDocuments({ settings: parseSettings({}) });
const texts = readdirSync("app/content/legal").map((file) => ({
  file,
  body: readFileSync(`app/content/legal/${file}`, "utf8").replace(/^---\n.*?\n---\n/s, ""),
}));

const numberWord =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|half|dozen|twice|fortnight|daily|weekly|monthly|yearly|annual(?:ly)?)\b/i;
const loneUnit =
  /\b(?:an?|one|per|each|every|few|several)\s+(?:calendar\s+)?(?:second|minute|hour|day|week|month|year)s?\b/i;

/** Finds numbers and periods written by hand, which must come from facts.ts. */
function findNumbers(text: string): string[] {
  const written = text.replace(/\{\{.*?\}\}/g, "");
  return [/\d+/, numberWord, loneUnit].flatMap((pattern) => pattern.exec(written)?.[0] ?? []);
}

it.each([
  ["We keep it for 2 years", "2"],
  ["We keep it for two years", "two"],
  ["Fees of the past Twelve months", "Twelve"],
  ["We answer within a month", "a month"],
  ["from one calendar month on", "one calendar month"],
])("finds the handwritten number in “%s”", (text, found) => {
  expect(findNumbers(text)).toEqual([found]);
});

it.each([
  "app/content/privacy/consent.ts",
  "app/content/privacy/legal-words.ts",
  "app/content/facts.ts",
  "app/content/cookie-registry.ts",
])("takes the lifetime of cookies in %s from facts, never by hand", (file) => {
  const words = readFileSync(file, "utf8").matchAll(/"([^"]*)"|“([^”]*)”|`([^`]*)`/g);
  const period = new RegExp(
    `(?:\\d+|${numberWord.source})[\\s-]+(?:second|minute|hour|day|week|month|year)|${loneUnit.source}`,
    "i",
  );
  const found = [...words].map(([text]) => text).filter((text) => period.test(text));
  expect(found).toEqual([]);
});

describe.each(texts)("$file", ({ body }) => {
  it("contains no handwritten number", () => {
    expect(body.split("\n").flatMap(findNumbers)).toEqual([]);
  });

  it("contains no handwritten cookie name or other technical name", () => {
    const names = [
      ...Object.values(cookies).map(({ name }) => name),
      ...clearedCookies.analytics,
      ...clearedCookies.marketing,
    ];
    expect(names.filter((name) => new RegExp(`(?<![\\w-])${name.replace("*", "")}(?![\\w-])`).test(body))).toEqual([]);
    expect(
      [...body.matchAll(/`([^`]*)`/g)].map(([, code]) => code).filter((code) => !/^\{\{[\w.]+\}\}$/.test(code ?? "")),
    ).toEqual([]);
  });

  it("contains no handwritten fact about the firm", () => {
    const written = body.replace(/\{\{.*?\}\}/g, "");
    expect(written).not.toContain("@");
    expect(written).not.toContain(company.name);
    expect(written).not.toMatch(/\[[^\]]*\](?!\()/);
  });
});

const dataRightsWords = readdirSync("app/content/privacy").filter((file) => file.startsWith("data-rights"));

it("finds the texts about data rights", () => {
  expect(dataRightsWords).toHaveLength(4);
});

it.each(dataRightsWords)("contains no handwritten number in the texts about data rights: %s", (file) => {
  const source = readFileSync(`app/content/privacy/${file}`, "utf8")
    .replace(/\/\*\*.*?\*\//gs, "")
    // Named constants are not text, and keys such as 404 are not either.
    .replace(/^export const \w+ = \d+;$|^ +\d+: \{$/gm, "")
    .replace(/\$\{[^}]*\}|\\u00a0/g, "");
  expect(source.split("\n").flatMap(findNumbers)).toEqual([]);
});

it.each([
  ["/privacy-policy", 14],
  ["/terms-of-service", 14],
  ["/cookie-policy", 9],
] as const)("has the required sections: %s, %d", (path, sections) => {
  expect(legalDocuments[path].sections).toHaveLength(sections);
});

it("explains six rights", () => {
  expect(dataRightsPage.rights.items).toHaveLength(6);
});

it.each(Object.values(legalDocuments))(
  "shows the last change at the top of $path, and the first version with the required date at its end",
  (document) => {
    const text = renderToStaticMarkup(createElement(LegalDocument, { document })).replace(/<[^>]+>/g, "");
    const { version, lastUpdated } = document;
    expect(version).not.toBe("1.0");
    expect(text.startsWith(`${document.title}Version ${version} · Last updated ${lastUpdated.text}`)).toBe(true);
    expect(text.endsWith("Version 1.0: last updated October 24, 2025")).toBe(true);
    expect(document.sections.map(({ html }) => html).join("")).not.toContain("October 24, 2025");
  },
);

it.each(["/contact", "/data-rights", "/cookie-policy"])("links from the privacy policy to %s", (path) => {
  expect(legalDocuments["/privacy-policy"].sections.map(({ html }) => html).join("")).toContain(`href="${path}"`);
});

it("shows jurisdiction and arbitration body in the terms", () => {
  const terms = legalDocuments["/terms-of-service"].sections.map(({ html }) => html).join("");
  expect(terms).toContain(company.jurisdiction);
  expect(terms).toContain(company.arbitrationBody);
});

it.each(Object.values(legalDocuments))("links only to existing pages: $path", ({ introduction, sections }) => {
  const known = Object.keys(routes).map((path) => `/${path}`);
  const html = [introduction, ...sections.map((section) => section.html)].join("");
  const paths = [...html.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path);
  expect(paths.filter((path) => !known.includes(path ?? ""))).toEqual([]);
});

it("uses the documents' titles in the navigation", () => {
  for (const { path, title } of Object.values(legalDocuments)) {
    expect(legalLinks.find((link) => link.path === path)?.label, path).toBe(title);
  }
});

it.each(Object.values(legalDocuments))("lists every section of $path with working links", (document) => {
  const html = renderToStaticMarkup(createElement(LegalDocument, { document }));
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(targets).toEqual(document.sections.map(({ id }) => id));
  for (const id of targets) {
    expect(html).toContain(`<section id="${id}"><h2>`);
  }
  expect(html).toContain(`<time dateTime="${document.lastUpdated.iso}">`);
});
