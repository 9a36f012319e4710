import { expect, it } from "vitest";
import { filledDataRightsForm } from "../../support/data-rights";
import { findTags, readTexts } from "../../support/page-source";
import { filledContactForm, readText } from "../../support/visitor";
import { useSharedSite } from "../support/world";

const site = useSharedSite();
const email = "not an address";
const quoted = `Kept <b>text</b> & "quotes"`;
/** A value that a list lacks, so that no control can hold it. */
const noChoice = "king";
const details = { fields: "ai", checkSize: "25k-100k", place: quoted, qualification: "license" };

/** Lists what the controls of a page hold: texts, and the values of boxes and options that are chosen. */
function readControls(html: string): string[] {
  const held = findTags(html, "input", "option").filter(({ name, attributes: { type, selected, checked } }) => {
    if (name === "option") return selected !== undefined;
    return type !== "checkbox" || checked !== undefined;
  });
  return [...readTexts(html, "textarea"), ...held.map(({ attributes }) => attributes.value ?? "on")];
}

it.each<[string, string, Record<string, string>, string[]]>([
  [
    "/contact",
    "contact",
    { ...filledContactForm, name: "", email, goal: "é".repeat(201), message: quoted },
    ["name", "email", "goal"],
  ],
  ["/contact", "contact", { ...filledContactForm, privacyConsent: "" }, ["privacyConsent"]],
  [
    "/contact?about=investors",
    "contact",
    { ...filledContactForm, joinNetwork: "on", ...details, kind: noChoice },
    ["kind"],
  ],
  [
    "/data-rights",
    "data-rights",
    { ...filledDataRightsForm, name: " ", email, requestType: "", description: `${quoted}${"é".repeat(5_000)}` },
    ["name", "email", "requestType", "description"],
  ],
  ["/data-rights", "data-rights", { ...filledDataRightsForm, requestType: "erasure", name: "" }, ["name"]],
])("links each mistake of a form at %s to its field, and keeps the other values", async (path, form, typed, wrong) => {
  const { status, html } = await site.post(path, typed);
  expect([status, readTexts(html, "title")]).toEqual([400, [expect.stringMatching(/^Error: /)]]);
  expect(readText(html)).toContain("There is a problem");
  const links = findTags(html, "a").map(({ attributes }) => attributes.href ?? "");
  expect(links.filter((href) => href.startsWith(`#${form}-`))).toEqual(wrong.map((name) => `#${form}-${name}`));
  const ids = findTags(html).map(({ attributes }) => attributes.id);
  for (const name of wrong) expect(ids).toEqual(expect.arrayContaining([`${form}-${name}`, `${form}-${name}-error`]));
  const kept = Object.values(typed).filter((value) => value.trim() !== "" && value !== noChoice);
  expect(readControls(html)).toEqual(expect.arrayContaining(kept));
});
